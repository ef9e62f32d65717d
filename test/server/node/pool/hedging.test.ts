// How many slow calls are repeated on a second server.

import { expect, test } from 'vitest'
import { type Hedged, Hedging } from '../../../../server/node/pool/hedging.ts'

const work: Hedged = { due: 0, isListed: false, previous: null, next: null, late: () => undefined }

test('one in twenty where all are slow, for as long as calls come, and some of the first ones', () => {
  const hedging = new Hedging({ now: () => 5_000_000, after: () => () => undefined })
  const repeated = (calls: number): number => {
    let count = 0
    for (let call = 0; call < calls; call++) {
      hedging.begin(work, 'small')
      hedging.remove(work)
      if (hedging.take()) count++
    }
    return count
  }
  expect(repeated(20)).toBe(16)
  repeated(10_000)
  for (let i = 0; i < 3; i++) expect(Math.abs(repeated(10_000) - 500)).toBeLessThanOrEqual(1)
  const before = hedging.share
  expect(hedging.take()).toBe(false)
  expect(hedging.share).toBe(before)
})

test('a quiet time saves no more than a window of calls for a slow one', () => {
  const hedging = new Hedging({ now: () => 5_000_000, after: () => () => undefined })
  for (let call = 0; call < 100_000; call++) {
    hedging.begin(work, 'small')
    hedging.remove(work)
  }
  let count = 0
  while (hedging.take()) count++
  expect(count).toBeGreaterThanOrEqual(50)
  expect(count).toBeLessThanOrEqual(100)
})
