import { expect, test } from 'vitest'
import { inPieces, inSlices, SlicedWork } from '../../../server/fairness/index.ts'

test('default: every item in order, others are heard in between', async () => {
  let turns = 0
  let other = setImmediate(function count() {
    turns++
    other = setImmediate(count)
  })
  const seen: number[] = []
  const made = await inSlices(
    Array.from({ length: 50 }, (_, i) => i),
    (i) => {
      seen.push(turns)
      return i * 2
    },
    { sliceMs: 0 },
  )
  clearImmediate(other)
  expect(made).toEqual(Array.from({ length: 50 }, (_, i) => i * 2))
  expect(new Set(seen).size).toBeGreaterThan(1)
})

test('error: what the work throws is passed on', async () => {
  const work = () => {
    throw new Error('no')
  }
  await expect(inSlices([1], work)).rejects.toThrow('no')
})

test.each([
  ['items', (work: () => void, signal: AbortSignal) => inSlices([1, 2, 3, 4], work, { sliceMs: 0, signal })],
  [
    'pieces',
    (work: () => void, signal: AbortSignal) => {
      function* pieces(): Generator<void, void> {
        for (let piece = 0; piece < 4; piece++) yield work()
      }
      return inPieces(pieces(), { sliceMs: 0, signal })
    },
  ],
])('error: work of many %s ends at its next rest once its signal is aborted', async (_, run) => {
  const end = new AbortController()
  let done = 0
  const work = (): void => {
    if (++done === 2) end.abort(new Error('the caller is gone'))
  }
  await expect(run(work, end.signal)).rejects.toThrow('the caller is gone')
  expect(done).toBe(2)
})

test('behavior: what has waited for an answer has a slice of the turn in which that came, and no second one', async () => {
  const slices = new SlicedWork({ sliceMs: 50 })
  const useUp = (): void => {
    while (!slices.isDue);
  }
  useUp()
  await new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))
  expect(slices.isDue).toBe(false)
  useUp()
  await Promise.resolve()
  expect(slices.isDue).toBe(true)
})
