// Reverts as they show in the heads of a chain.

import { expect, test } from 'vitest'
import type { Chain, HeadReport } from '../../../server/node/index.ts'
import { followReverts } from '../../../server/node/reverts.ts'

function setUp(canRewind: boolean) {
  const listeners = new Set<(report: HeadReport) => void>()
  let reverts = 0
  const chain = {
    traits: { canRewind },
    head: async () => ({ id: { seqno: 5 } }),
    onHead(listener: (report: HeadReport) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  // The casts: nothing else of a chain and of a block is read.
  const stop = followReverts(chain as unknown as Chain, () => reverts++)
  const report = (seqno: number, isOther?: boolean) => {
    for (const listener of listeners) listener({ kind: 'head', id: { seqno }, isOther } as unknown as HeadReport)
    return reverts
  }
  const head = (seqno: number) => report(seqno)
  return { head, report, stop, listeners }
}

test('a head that is not above the last one is a revert, also when it is the first that is reported', async () => {
  const { head, stop, listeners } = setUp(true)
  await new Promise((resolve) => setImmediate(resolve))
  expect([5, 6, 7, 6, 7, 3, 4].map(head)).toEqual([1, 1, 1, 2, 2, 3, 3])
  stop()
  expect(listeners.size).toBe(0)
})

test('a higher head is a revert when it says that it is of another branch', () => {
  const { report } = setUp(true)
  expect([report(5), report(8, true), report(9, false)]).toEqual([0, 1, 1])
})

test('a chain that undoes no block is not followed', () => {
  expect(setUp(false).listeners.size).toBe(0)
})
