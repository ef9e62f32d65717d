import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SlicedWork } from '../../../server/fairness/index.ts'

const SLICE_MS = 40

function busy(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('work that begins in one turn shares its slice: with one of their own each, ten held the loop ten times as long', async () => {
  await nextTurn()
  const first = new SlicedWork({ sliceMs: SLICE_MS })
  busy(SLICE_MS)
  expect(first.isDue).toBe(true)
  const later = new SlicedWork({ sliceMs: SLICE_MS })
  busy(2)
  expect(later.isDue).toBe(true)
})

test('the next turn has a slice again, and so has work that has rested', async () => {
  const first = new SlicedWork({ sliceMs: SLICE_MS })
  busy(SLICE_MS)
  await nextTurn()
  await nextTurn()
  const next = new SlicedWork({ sliceMs: 60_000 })
  await first.rest()
  expect(next.isDue).toBe(false)
})

test('work that begins in a turn after other work has rested shares the slice of that', async () => {
  const first = new SlicedWork({ sliceMs: SLICE_MS })
  await first.rest()
  busy(SLICE_MS)
  expect(first.isDue).toBe(true)
  const next = new SlicedWork({ sliceMs: SLICE_MS })
  busy(2)
  expect(next.isDue).toBe(true)
})
