// Transactions. Messages stay cells, because their hashes are what the rest of the world knows them by; `loadMessage` reads
// them.

import { type Cell, type Dict, dictKind, loadDict, refValue, type Slice, uintKey } from '../../cell/index.ts'
import { type CurrencyCollection, loadCurrency } from '../currency.ts'
import { expectTag, loadHash, loadIn } from '../fields.ts'
import { type HashUpdate, loadHashUpdate } from '../hashUpdate.ts'
import { loadDescription, type TransactionDescription } from './description.ts'

export type AccountStatus = 'uninit' | 'frozen' | 'active' | 'nonexist'

const STATUSES: readonly AccountStatus[] = ['uninit', 'frozen', 'active', 'nonexist']

const loadAccountStatus = (slice: Slice): AccountStatus => STATUSES[slice.loadUint(2)] ?? 'nonexist'

export const outMessagesKind = dictKind(uintKey(15), refValue)

/** What stands first in a transaction. */
export interface TransactionHead {
  /** Id of the account, 32 bytes; its workchain is that of the block. */
  readonly account: Uint8Array
  readonly lt: bigint
  readonly prevHash: Uint8Array
  readonly prevLt: bigint
}

export interface Transaction extends TransactionHead {
  readonly now: number
  readonly outCount: number
  readonly origStatus: AccountStatus
  readonly endStatus: AccountStatus
  readonly inMessage: Cell | null
  readonly outMessages: Dict<number, Cell>
  readonly totalFees: CurrencyCollection
  readonly stateUpdate: HashUpdate
  readonly description: TransactionDescription
}

const TAG = 7

/** The rest is not read, and may be broken. */
export function loadTransactionHead(slice: Slice): TransactionHead {
  expectTag(slice, TAG, 4, 'Transaction')
  return {
    account: loadHash(slice),
    lt: slice.loadUintBig(64),
    prevHash: loadHash(slice),
    prevLt: slice.loadUintBig(64),
  }
}

/** `Transaction`. */
export function loadTransaction(slice: Slice): Transaction {
  const { account, lt, prevHash, prevLt } = loadTransactionHead(slice)
  const now = slice.loadUint(32)
  const outCount = slice.loadUint(15)
  const origStatus = loadAccountStatus(slice)
  const endStatus = loadAccountStatus(slice)
  const messages = loadIn(slice, (inner) => ({
    inMessage: inner.loadMaybeRef(),
    outMessages: loadDict(inner, outMessagesKind),
  }))
  return {
    account,
    lt,
    prevHash,
    prevLt,
    now,
    outCount,
    origStatus,
    endStatus,
    inMessage: messages.inMessage,
    outMessages: messages.outMessages,
    totalFees: loadCurrency(slice),
    stateUpdate: loadIn(slice, loadHashUpdate),
    description: loadIn(slice, loadDescription),
  }
}

/** The fees alone, without reading the rest. */
export function totalFeesOf(slice: Slice): CurrencyCollection {
  expectTag(slice, TAG, 4, 'Transaction')
  return loadCurrency(slice.skip(256 + 64 + 256 + 64 + 32 + 15 + 4).skipRefs(1))
}
