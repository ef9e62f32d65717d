// Accounts: who, how much they store and owe for it, and what they hold.

import { type Builder, type InternalAddress, loadInternalAddress, type Slice, storeAddress } from '../../cell/index.ts'
import { type CurrencyCollection, loadCurrency, storeCurrency } from '../currency.ts'
import { loadHash, loadMaybeCoins, storeHash, storeMaybeCoins, unknownTag } from '../fields.ts'
import { loadStateInit, type StateInit, storeStateInit } from '../message/stateInit.ts'

/** Distinct cells and their bits. */
export interface StorageUsed {
  readonly cells: number
  readonly bits: number
}

export interface StorageInfo {
  readonly used: StorageUsed
  /** Hash of the dictionary of stored cells, for large accounts. */
  readonly dictHash: Uint8Array | null
  /** Unix time; 0 means that nothing is charged for the time before. */
  readonly lastPaid: number
  readonly duePayment: bigint | null
}

export type AccountState =
  | { readonly kind: 'uninit' }
  | { readonly kind: 'active'; readonly init: StateInit }
  | { readonly kind: 'frozen'; readonly stateHash: Uint8Array }

export interface AccountStorage {
  readonly lastTransLt: bigint
  readonly balance: CurrencyCollection
  readonly state: AccountState
}

export interface Account {
  readonly address: InternalAddress
  readonly storageStat: StorageInfo
  readonly storage: AccountStorage
}

export const loadStorageUsed = (slice: Slice): StorageUsed => ({
  cells: Number(slice.loadVarUint(7)),
  bits: Number(slice.loadVarUint(7)),
})

export const storeStorageUsed = (builder: Builder, value: StorageUsed): Builder =>
  builder.storeVarUint(BigInt(value.cells), 7).storeVarUint(BigInt(value.bits), 7)

export function loadStorageInfo(slice: Slice): StorageInfo {
  const used = loadStorageUsed(slice)
  const extra = slice.loadUint(3)
  if (extra > 1) unknownTag(extra, 'StorageExtraInfo')
  return {
    used,
    dictHash: extra === 1 ? loadHash(slice) : null,
    lastPaid: slice.loadUint(32),
    duePayment: loadMaybeCoins(slice),
  }
}

function storeStorageInfo(builder: Builder, value: StorageInfo): Builder {
  storeStorageUsed(builder, value.used).storeUint(value.dictHash === null ? 0 : 1, 3)
  if (value.dictHash !== null) storeHash(builder, value.dictHash)
  return storeMaybeCoins(builder.storeUint(value.lastPaid, 32), value.duePayment)
}

function loadAccountState(slice: Slice): AccountState {
  if (slice.loadBit()) return { kind: 'active', init: loadStateInit(slice) }
  return slice.loadBit() ? { kind: 'frozen', stateHash: loadHash(slice) } : { kind: 'uninit' }
}

function storeAccountState(builder: Builder, value: AccountState): Builder {
  switch (value.kind) {
    case 'active':
      return storeStateInit(builder.storeBit(1), value.init)
    case 'frozen':
      return storeHash(builder.storeUint(1, 2), value.stateHash)
    case 'uninit':
      return builder.storeUint(0, 2)
  }
}

const loadAccountStorage = (slice: Slice): AccountStorage => ({
  lastTransLt: slice.loadUintBig(64),
  balance: loadCurrency(slice),
  state: loadAccountState(slice),
})

export function storeAccountStorage(builder: Builder, value: AccountStorage): Builder {
  storeCurrency(builder.storeUint(value.lastTransLt, 64), value.balance)
  return storeAccountState(builder, value.state)
}

/** `Account`; null when there is none. */
export function loadAccount(slice: Slice): Account | null {
  if (!slice.loadBit()) return null
  return {
    address: loadInternalAddress(slice),
    storageStat: loadStorageInfo(slice),
    storage: loadAccountStorage(slice),
  }
}

export function storeAccount(builder: Builder, value: Account | null): Builder {
  if (value === null) return builder.storeBit(0)
  storeAddress(builder.storeBit(1), value.address)
  return storeAccountStorage(storeStorageInfo(builder, value.storageStat), value.storage)
}
