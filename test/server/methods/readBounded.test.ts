// How a page that may be large is read: most have few rows, and cost one read.

import { expect, test } from 'vitest'
import { readBounded } from '../../../server/methods/v3/bounded/boundedLists.ts'

const FEW = 3

/** A list of so many rows, and what is done with it. */
function listOf(there: number, isTooLarge = false) {
  const steps: string[] = []
  const page = (limit: number) =>
    readBounded({ limit }, FEW, {
      readOf: (ask) => ask.limit,
      demand: async (list) => {
        steps.push(`look at ${list}`)
        if (isTooLarge) throw new Error('too large')
      },
      read: async (list) => {
        steps.push(`read ${list}`)
        return { rows: Math.min(list, there), next: there > list ? list : null }
      },
    })
  return { page, steps }
}

test.each([
  [2, 10, 2, ['read 2']],
  [3, 10, 3, ['read 3']],
  [1000, 2, 2, ['read 3']],
  [1000, 3, 3, ['read 3']],
  [1000, 4, 4, ['read 3', 'look at 1000', 'read 1000']],
])('limit %s of a list of %s', async (limit, there, rows, done) => {
  const { page, steps } = listOf(there)
  expect((await page(limit)).rows).toBe(rows)
  expect(steps).toEqual(done)
})

test('what is too large is not read', async () => {
  const { page, steps } = listOf(1000, true)
  await expect(page(1000)).rejects.toThrow('too large')
  expect(steps).toEqual(['read 3', 'look at 1000'])
})
