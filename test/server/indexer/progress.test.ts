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

test('hours are said as such', () => {
  const { lines, write } = begin()
  for (let i = 0; i < 2; i++) write(40, 4, 960)
  expect(lines).toMatchObject([['the index is catching up', { timeLeft: '2 h 40 min' }]])
})

test('the first line comes ten seconds after the index was found to be far behind, and the last when it has all blocks', () => {
  const { lines, write } = begin()
  const words = () => lines.splice(0).map((line) => (line as readonly unknown[])[0])
  // One that was never far has nothing to catch up with.
  for (const distance of [50, 1, 0]) write(60, 1, distance)
  expect(words()).toEqual([])
  write(60, 1, 51)
  write(9, 1, 51)
  expect(words()).toEqual([])
  write(1, 1, 51)
  expect(words()).toEqual(['the index is catching up'])
  for (const distance of [50, 1]) write(60, 1, distance)
  expect(words()).toEqual([])
  for (let i = 0; i < 2; i++) write(60, 1, 0)
  expect(words()).toEqual(['the index has caught up'])
})
