// Account cells made without a transaction: in zerostates, and by control methods.

import { type BinaryHash, type Cell, stdAddress } from '../../cell/index.ts'
import {
  type Account,
  type CurrencyCollection,
  depthBalanceOf,
  type ShardAccount,
  type StateInit,
  type StorageUsed,
  storeAccount,
  storeAccountStorage,
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

/** Distinct cells of a tree and their bits, as storage is charged for. */
function storageUsed(root: Cell): StorageUsed {
  const seen = new Set<BinaryHash>()
  let bits = 0
  const visit = (cell: Cell): void => {
    if (seen.has(cell.hash())) return
    seen.add(cell.hash())
    bits += cell.bits
    cell.refs.forEach(visit)
  }
  visit(root)
  return { cells: seen.size, bits }
}

/** The cell of an account, with its storage statistics recomputed. */
export function storedAccount(account: Account): Cell {
  const used = storageUsed(toCell(account.storage, storeAccountStorage))
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
