// Amounts of TON as people of several countries type them, and as they are copied from a page.

import { expect, test } from 'vitest'
import { amountOf } from '../../../client/explorer/lab/amountOf.ts'

test.each([
  ['1.5', 1_500_000_000n],
  ['1,5', 1_500_000_000n],
  ['0,125', 125_000_000n],
  ['1000', 1_000_000_000_000n],
  ['1\u202f000.5 TON', 1_000_500_000_000n],
  ['1\u00a0000\n', 1_000_000_000_000n],
  ['1,000.5', 1_000_500_000_000n],
  ['1,000,000', 1_000_000_000_000_000n],
])('%j is an amount', (text, nanotons) => {
  expect(amountOf(text)).toEqual({ nanotons })
})

test.each([
  ['1,000', '1,000 has two meanings: write 1000 or 1.000.'],
  ['-1', 'The amount is below zero.'],
  ['1.2.3', 'An amount in TON, such as 1.5, with 9 decimals at most.'],
  ['ten', 'An amount in TON, such as 1.5, with 9 decimals at most.'],
])('%j is none', (text, wrong) => {
  expect(amountOf(text)).toEqual({ wrong })
})
