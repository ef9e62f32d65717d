// The speed and the rest of the time that are logged while the index catches up, by a clock of the test.

import { expect, test } from 'vitest'
import { Progress } from '../../../server/indexer/progress.ts'

function begin() {
  const clock = { now: 1_000_000 }
  const lines: unknown[] = []
  const say = (facts: unknown, words?: string) => void lines.push([words, facts])
  const log = { info: say, warn: say }
  const progress = new Progress({ log, now: () => clock.now })
  const write = (seconds: number, blocks: number, distance: number) => {
    clock.now += seconds * 1000
    progress.wrote(blocks, distance)
  }
  return { clock, lines, progress, write }
}

test('the speed is that of the last ten seconds', () => {
  const { lines, progress, write } = begin()
  for (let i = 0; i < 35; i++) write(1, i < 15 ? 1 : 20, 1_000)
  expect(progress.blocksPerSecond).toBe(20)
  expect(lines.at(-1)).toEqual([
    'the index is catching up',
    { blocksPerSecond: 20, blocksToGo: 1_000, timeLeft: '50 s' },
  ])
})

test('blocks that take longer than that are not taken for fast ones', () => {
  const { lines, write } = begin()
  for (let i = 0; i < 4; i++) write(40, 4, 360)
  expect(lines).toEqual(
    Array.from({ length: 3 }, () => [
      'the index is catching up',
      { blocksPerSecond: 0.1, blocksToGo: 360, timeLeft: '60 min' },
    ]),
  )
})

test('without a second write there is no speed yet, and an index that has come to rest has none', () => {
  const { clock, progress, write } = begin()
  expect(progress.blocksPerSecond).toBe(0)
  write(1, 100, 200)
  expect(progress.blocksPerSecond).toBe(0)
  write(1, 100, 100)
  expect(progress.blocksPerSecond).toBe(100)
  clock.now += 60_000
  expect(progress.blocksPerSecond).toBe(0)
})
