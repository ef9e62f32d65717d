// Where the money of a block came from and where it went. Both sides must be equal.

import type { Builder } from '../../cell/index.ts'
import { addCurrency, type CurrencyCollection, equalCurrency, storeCurrency } from '../currency.ts'
import { storeIn } from '../fields.ts'

export interface ValueFlow {
  readonly fromPrevious: CurrencyCollection
  readonly toNext: CurrencyCollection
  readonly imported: CurrencyCollection
  readonly exported: CurrencyCollection
  readonly feesCollected: CurrencyCollection
  /** Null in the older form, which cannot burn. */
  readonly burned: CurrencyCollection | null
  readonly feesImported: CurrencyCollection
  readonly recovered: CurrencyCollection
  readonly created: CurrencyCollection
  readonly minted: CurrencyCollection
}

const PLAIN = 0xb8e48dfb
const BURNING = 0x3ebf98b7

type Four = readonly [CurrencyCollection, CurrencyCollection, CurrencyCollection, CurrencyCollection]

const storeFour = (builder: Builder, four: Four): Builder => four.reduce(storeCurrency, builder)

export function storeValueFlow(builder: Builder, value: ValueFlow): Builder {
  builder.storeUint(value.burned === null ? PLAIN : BURNING, 32)
  storeIn(builder, [value.fromPrevious, value.toNext, value.imported, value.exported], storeFour)
  storeCurrency(builder, value.feesCollected)
  if (value.burned !== null) storeCurrency(builder, value.burned)
  return storeIn(builder, [value.feesImported, value.recovered, value.created, value.minted], storeFour)
}

/** Whether what came in equals what went out, in grams and in every extra currency. */
export function isBalanced(flow: ValueFlow): boolean {
  const incoming = [flow.imported, flow.feesImported, flow.created, flow.minted, flow.recovered]
  const outgoing = [flow.exported, flow.feesCollected, ...(flow.burned === null ? [] : [flow.burned])]
  return equalCurrency(incoming.reduce(addCurrency, flow.fromPrevious), outgoing.reduce(addCurrency, flow.toNext))
}
