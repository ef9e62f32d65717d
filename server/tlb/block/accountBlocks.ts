// What a block did to each account: its transactions in order, and the hash of the account before and after.

import {
  augDictKind,
  type Builder,
  bigKey,
  type Cell,
  type Dict,
  dictBytesKey,
  loadInlineDict,
  openCell,
  refValue,
  type Slice,
  storeInlineDict,
} from '../../cell/index.ts'
import { type CurrencyCollection, currencySum, ZERO_CURRENCY } from '../currency.ts'
import { expectTag, loadHash, loadIn, storeHash, storeIn } from '../fields.ts'
import { type HashUpdate, loadHashUpdate, storeHashUpdate } from '../hashUpdate.ts'
import { totalFeesOf } from '../transaction/transaction.ts'

/** Transactions of one account by logical time, adding up their fees. */
export const accountTransactionsKind = augDictKind(
  bigKey(64),
  refValue,
  currencySum((transaction: Cell) => totalFeesOf(openCell(transaction))),
)

export type AccountTransactions = Dict<bigint, Cell, CurrencyCollection>

export interface AccountBlock {
  readonly account: Uint8Array
  readonly transactions: AccountTransactions
  readonly stateUpdate: HashUpdate
}

function loadAccountBlock(slice: Slice): AccountBlock {
  expectTag(slice, 5, 4, 'AccountBlock')
  return {
    account: loadHash(slice),
    transactions: loadInlineDict(slice, accountTransactionsKind),
    stateUpdate: loadIn(slice, loadHashUpdate),
  }
}

export function storeAccountBlock(builder: Builder, value: AccountBlock): Builder {
  storeInlineDict(storeHash(builder.storeUint(5, 4), value.account), value.transactions)
  return storeIn(builder, value.stateUpdate, storeHashUpdate)
}

/** `ShardAccountBlocks`: by account id. */
export const accountBlocksKind = augDictKind(
  dictBytesKey(256),
  { load: loadAccountBlock, store: storeAccountBlock },
  currencySum((block: AccountBlock) => block.transactions.extra ?? ZERO_CURRENCY),
)
