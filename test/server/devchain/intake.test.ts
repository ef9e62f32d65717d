// How many messages a block takes in, from what earlier blocks show that messages lead to.

import { expect, test } from 'vitest'
import { Intake } from '../../../server/devchain/collate/messages/intake.ts'

function after(blocks: readonly (readonly [externals: number, transactions: number, isWhole: boolean])[]): number {
  const intake = new Intake()
  for (const block of blocks) intake.took(...block)
  return intake.most
}

test('default: as many as fit with what they lead to', () => {
  expect(after([])).toBe(50)
  expect(after([[10, 100, true]])).toBe(15)
  expect(after([[10, 10, true]])).toBe(150)
  expect(after([[1, 1000, true]])).toBe(8)
})

test('behavior: a block that was cut does not make messages look cheaper than they are', () => {
  const whole = [20, 200, true] as const
  expect(after([whole, [20, 40, false]])).toBeLessThan(18)
  expect(after([whole, [20, 600, false]])).toBe(8)
})

test('behavior: one expensive message does not keep others out for ever, even when every block is cut', () => {
  const cut = Array.from({ length: 100 }, () => [8, 16, false] as const)
  expect(after([[1, 1000, true], ...cut])).toBeGreaterThan(40)
})
