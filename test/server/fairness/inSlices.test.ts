import { expect, test } from 'vitest'
import { inSlices } from '../../../server/fairness/index.ts'

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
