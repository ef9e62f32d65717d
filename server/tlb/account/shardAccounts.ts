// The accounts of a shard by id, adding up their balances.

import {
  type Augmentation,
  augDictKind,
  type Builder,
  type Cell,
  dictBytesKey,
  loadInternalAddress,
  openCell,
  type Slice,
} from '../../cell/index.ts'
import { addCurrency, type CurrencyCollection, loadCurrency, storeCurrency, ZERO_CURRENCY } from '../currency.ts'
import { loadHash, storeHash } from '../fields.ts'
import { loadStorageInfo } from './account.ts'

export interface ShardAccount {
  /** The cell of the account, which may be that of `account_none`. */
  readonly account: Cell
  readonly lastTransHash: Uint8Array
  readonly lastTransLt: bigint
}

export interface DepthBalance {
  /** The deepest split the accounts below allow for; 0 without anycast. */
  readonly splitDepth: number
  readonly balance: CurrencyCollection
}

export const loadShardAccount = (slice: Slice): ShardAccount => ({
  account: slice.loadRef(),
  lastTransHash: loadHash(slice),
  lastTransLt: slice.loadUintBig(64),
})

export const storeShardAccount = (builder: Builder, value: ShardAccount): Builder =>
  storeHash(builder.storeRef(value.account), value.lastTransHash).storeUint(value.lastTransLt, 64)

const NOTHING: DepthBalance = { splitDepth: 0, balance: ZERO_CURRENCY }

/** Depth and balance out of an account's cell, without reading its state. */
export function depthBalanceOf(account: Cell): DepthBalance {
  const slice = openCell(account)
  if (!slice.loadBit()) return NOTHING
  const { anycast } = loadInternalAddress(slice)
  loadStorageInfo(slice)
  return { splitDepth: anycast?.depth ?? 0, balance: loadCurrency(slice.skip(64)) }
}

export const loadDepthBalance = (slice: Slice): DepthBalance => ({
  splitDepth: slice.loadUint(5),
  balance: loadCurrency(slice),
})

const depthBalance: Augmentation<ShardAccount, DepthBalance> = {
  load: loadDepthBalance,
  store: (builder, value) => {
    storeCurrency(builder.storeUint(value.splitDepth, 5), value.balance)
  },
  leaf: (value) => depthBalanceOf(value.account),
  combine: (a, b) => ({
    splitDepth: Math.max(a.splitDepth, b.splitDepth),
    balance: addCurrency(a.balance, b.balance),
  }),
  empty: NOTHING,
}

/** `ShardAccounts`: by account id. */
export const shardAccountsKind = augDictKind(
  dictBytesKey(256),
  { load: loadShardAccount, store: storeShardAccount },
  depthBalance,
)
