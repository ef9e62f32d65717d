// The order in which a block's transactions are listed: by account id, then by logical time. The lite server walks it to
// answer and the verifier walks it again to check that nothing was left out or slipped in.

import { type Cell, type Dict, sameBytes } from '../cell/index.ts'
import type { AccountBlock, CurrencyCollection } from '../tlb/index.ts'
import type { ListQuery } from './liteServer.ts'

export interface ListedTransaction {
  readonly account: Uint8Array
  readonly lt: bigint
  readonly cell: Cell
}

/** Maximum number of transactions in one list. */
export const MOST_LISTED = 256

/** Transactions after `after`, or all; cells are opened lazily, as the caller iterates. */
export function* inListOrder(
  blocks: Dict<Uint8Array, AccountBlock, CurrencyCollection>,
  { after, reverse = false }: ListQuery,
): Generator<ListedTransaction> {
  const start = after === undefined ? {} : { from: after.account }
  for (const [account, { transactions }] of blocks.entries({ reverse, ...start })) {
    const isFirst = after !== undefined && sameBytes(account, after.account)
    const from = isFirst ? { from: BigInt.asUintN(64, after.lt), inclusive: false } : {}
    for (const [lt, cell] of transactions.entries({ reverse, ...from })) yield { account, lt, cell }
  }
}
