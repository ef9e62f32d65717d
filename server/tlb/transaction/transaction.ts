// Transactions. Messages stay cells, because their hashes are what the rest of the world knows them by; `loadMessage` reads
// them.

import {
  type Builder,
  type Cell,
  type Dict,
  dictKind,
  loadDict,
  refValue,
  type Slice,
  storeDict,
  uintKey,
} from '../../cell/index.ts'
import { type CurrencyCollection, loadCurrency, storeCurrency } from '../currency.ts'
import { expectTag, loadHash, loadIn, storeHash, storeIn } from '../fields.ts'
import { type HashUpdate, loadHashUpdate, storeHashUpdate } from '../hashUpdate.ts'
import { loadDescription, storeDescription, type TransactionDescription } from './description.ts'

export type AccountStatus = 'uninit' | 'frozen' | 'active' | 'nonexist'

const STATUSES: readonly AccountStatus[] = ['uninit', 'frozen', 'active', 'nonexist']

const loadAccountStatus = (slice: Slice): AccountStatus => STATUSES[slice.loadUint(2)] ?? 'nonexist'

const storeAccountStatus = (builder: Builder, value: AccountStatus): Builder =>
  builder.storeUint(STATUSES.indexOf(value), 2)

export const outMessagesKind = dictKind(uintKey(15), refValue)

export interface Transaction {
  /** Id of the account, 32 bytes; its workchain is that of the block. */
  readonly account: Uint8Array
  readonly lt: bigint
  readonly prevHash: Uint8Array
  readonly prevLt: bigint
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

/** `Transaction`. */
export function loadTransaction(slice: Slice): Transaction {
  expectTag(slice, TAG, 4, 'Transaction')
  const account = loadHash(slice)
  const lt = slice.loadUintBig(64)
  const prevHash = loadHash(slice)
  const prevLt = slice.loadUintBig(64)
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

export function storeTransaction(builder: Builder, value: Transaction): Builder {
  storeHash(builder.storeUint(TAG, 4), value.account).storeUint(value.lt, 64)
  storeHash(builder, value.prevHash).storeUint(value.prevLt, 64).storeUint(value.now, 32).storeUint(value.outCount, 15)
  storeAccountStatus(storeAccountStatus(builder, value.origStatus), value.endStatus)
  storeIn(builder, value, (inner) => storeDict(inner.storeMaybeRef(value.inMessage), value.outMessages))
  storeCurrency(builder, value.totalFees)
  storeIn(builder, value.stateUpdate, storeHashUpdate)
  return storeIn(builder, value.description, storeDescription)
}

/** The fees alone, without reading the rest. */
export function totalFeesOf(slice: Slice): CurrencyCollection {
  expectTag(slice, TAG, 4, 'Transaction')
  return loadCurrency(slice.skip(256 + 64 + 256 + 64 + 32 + 15 + 4).skipRefs(1))
}
