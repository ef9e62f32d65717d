// Account cells made without a transaction: in zerostates, and by control methods.

import { type Cell, stdAddress } from '../../cell/index.ts'
import {
  type Account,
  type CurrencyCollection,
  depthBalanceOf,
  type ShardAccount,
  type StateInit,
  storageUsed,
  storeAccount,
  toCell,
} from '../../tlb/index.ts'

export interface AccountCellContent {
  readonly workchain: number
  /** Account id, 32 bytes. */
  readonly id: Uint8Array
  readonly balance: CurrencyCollection
  /** Null leaves the account uninitialised. */
  readonly init: StateInit | null
}

const NO_ACCOUNT: Cell = toCell(null, storeAccount)

/** The entry of `ShardAccounts` for an account that does not exist. */
export const ABSENT: ShardAccount = { account: NO_ACCOUNT, lastTransHash: new Uint8Array(32), lastTransLt: 0n }

export const isAbsent = (account: Cell): boolean => account.hash() === NO_ACCOUNT.hash()

/** The cell of an account, with its storage statistics recomputed. */
export function storedAccount(account: Account): Cell {
  const used = storageUsed(account.storage)
  const storageStat = { ...account.storageStat, used, dictHash: null }
  return toCell({ ...account, storageStat }, storeAccount)
}

/** The cell of an account that has never had a transaction: storage is not charged for the time before the first. */
export function freshAccount({ workchain, id, balance, init }: AccountCellContent, lastTransLt = 0n): Cell {
  return storedAccount({
    address: stdAddress(workchain, id),
    storageStat: { used: { cells: 0, bits: 0 }, dictHash: null, lastPaid: 0, duePayment: null },
    storage: { lastTransLt, balance, state: init === null ? { kind: 'uninit' } : { kind: 'active', init } },
  })
}

export const balanceInCell = (account: Cell): CurrencyCollection => depthBalanceOf(account).balance
