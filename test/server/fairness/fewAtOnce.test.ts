// Work that takes much memory while it runs.

import { expect, test } from 'vitest'
import { fewAtOnce } from '../../../server/fairness/index.ts'

test('two of a caller run at once, and what ends or fails leaves its place to the next', async () => {
  let running = 0
  let most = 0
  function* work(number: number): Generator<void, number> {
    most = Math.max(most, ++running)
    try {
      for (let piece = 0; piece < 3; piece++) yield
      if (number % 2 === 1) throw new Error(`${number} failed`)
      return number
    } finally {
      running--
    }
  }
  const ended = [0, 1, 2, 3, 4, 5].map((number) =>
    fewAtOnce(work(number), { subject: 'a', sliceMs: 0 }).catch((error: Error) => error.message),
  )
  expect(await Promise.all(ended)).toEqual([0, '1 failed', 2, '3 failed', 4, '5 failed'])
  expect(most).toBe(2)
})
