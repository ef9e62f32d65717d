// Which snapshots of a log are removed.

import { expect, test } from 'vitest'
import { surplusSnapshots } from '../../../../server/devchain/log/keptSnapshots.ts'

const snapshots = (bytes: number) => [100, 200, 210, 400, 900, 1000].map((at) => ({ at, bytes }))
const removed = (bytes: number) => surplusSnapshots(snapshots(bytes)).map(({ at }) => at)

test('behavior: older ones take a quarter of the log, and those that are nearest to others go first', () => {
  // Four older ones: a quarter of this log is 250 bytes.
  expect(removed(62)).toEqual([])
  expect(removed(125)).toEqual([200, 100])
  expect(removed(10_000)).toEqual([200, 100, 210, 400])
})
