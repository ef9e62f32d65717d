// A price is a claim of the contract, until that much has come to it or left it.

import type { ActionBlock } from '../../actionBlock.ts'
import { carries } from '../../base.ts'

/** Of a price, what the work of its contract and the way of its payments may take, as one part of so many. */
const PART_FOR_GAS = 20n

/** Whether a price moved in the transaction that gave the item away: the buyer brought it, or the others were paid. */
export function isPaidFor(sale: ActionBlock | null, price: bigint | null): boolean {
  if (sale === null || price === null) return false
  if (carries(sale, price)) return true
  const paid = sale.first.transaction.outMessages.reduce((sum, { value }) => sum + (value ?? 0n), 0n)
  return paid >= price - price / PART_FOR_GAS
}
