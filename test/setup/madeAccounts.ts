// Accounts that no test chain comes to on its own, as a handler reads them.

import type { Cell as CoreCell } from '@ton/core'
import { beginCell, buildDict, type Cell, readBoc, stdAddress } from '../../server/cell/index.ts'
import { type AccountAt, MASTERCHAIN, WHOLE_SHARD } from '../../server/node/index.ts'
import { type AccountState, extraCurrencyKind, storeAccount } from '../../server/tlb/index.ts'

export const UTIME = 1_755_516_049

/** A cell of the room out of one of the usual library. */
export const cellOf = (cell: CoreCell): Cell => readBoc(cell.toBoc())

/** An active state; the data is any bits. */
export const active = (code: Cell, data: Cell | null): AccountState => ({
  kind: 'active',
  init: { fixedPrefixLength: null, special: null, code, data, library: null },
})

export function madeAccount(
  state: AccountState,
  { grams = 5_000_000_000n, extra = [] }: { grams?: bigint; extra?: readonly (readonly [number, bigint])[] } = {},
): AccountAt {
  const account = {
    address: stdAddress(0, new Uint8Array(32).fill(0x11)),
    storageStat: { used: { cells: 1, bits: 100 }, dictHash: null, lastPaid: 0, duePayment: null },
    storage: { lastTransLt: 43n, balance: { grams, other: buildDict(extraCurrencyKind, extra) }, state },
  }
  return { ...absentAccount, account, shardAccount: { account: cellOfAccount(account), ...last } }
}

const cellOfAccount = (account: AccountAt['account']): Cell => storeAccount(beginCell(), account).end()

const last = { lastTransHash: new Uint8Array(32).fill(0x22), lastTransLt: 42n }

/** An account that does not exist. */
export const absentAccount: AccountAt = {
  block: {
    workchain: MASTERCHAIN,
    shard: WHOLE_SHARD,
    seqno: 7,
    rootHash: new Uint8Array(32).fill(1),
    fileHash: new Uint8Array(32).fill(2),
  },
  account: null,
  shardAccount: null,
  utime: UTIME,
  lt: 0n,
}
