// What the log says of this machine's clock.

import { expect, test, vi } from 'vitest'
import { watchOwnClock } from '../../../../server/app/network/ownClock.ts'

test('behavior: a wrong clock is logged once when it stays wrong, and so is the right one after it', async () => {
  const lines: string[] = []
  const wrong = ['it is 60 s ahead', undefined, 'it is 61 s ahead', 'it is 62 s ahead']
  const readings = [null, ...wrong, null, null, 'it is 8 s behind', 'it is 9 s behind', null, 'it is 9 s ahead', null]
  let next = 0
  const stop = watchOwnClock(
    () => {
      const words = readings[next++]
      return { aheadS: 0, words: words ?? null, heard: words === undefined ? 0 : 3 }
    },
    { warn: (_, text) => void lines.push(text), info: (_, text) => void lines.push(text) },
    1,
  )
  await vi.waitUntil(() => next > readings.length, { timeout: 300_000 })
  stop()
  expect(lines).toEqual([
    'it is 61 s ahead; set it',
    'the clock of this machine agrees with those of lite servers',
    'it is 9 s behind; set it',
    'the clock of this machine agrees with those of lite servers',
  ])
})
