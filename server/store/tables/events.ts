// Events of tokens, one for each transaction. The transaction is the key, so writing an event twice changes nothing.

import { transactions } from './chain.ts'
import { account, bool, bytea, int4, int8, nullable, numeric, search, uint32 } from './column.ts'
import type { Fields } from './fields.ts'
import { type RowFrom, table, type WrittenRowFrom } from './table.ts'

const eventFields = {
  txHash: bytea,
  txLt: int8,
  txNow: uint32,
  aborted: bool,
  traceId: bytea,
  queryId: numeric,
  responseDestination: nullable(account),
  /** All payloads are bags of cells with CRC32C. */
  customPayload: nullable(bytea),
  /** The masterchain block that made its account a token; null when that one is not newer than the transaction. */
  lateMcSeqno: search(nullable(int4)),
}

const OF_TRANSACTION = { with: transactions, by: 'txHash', of: 'hash' } as const
const EVENT = { onConflict: 'keep', undo: OF_TRANSACTION } as const
const LATE_EVENT = { onConflict: 'keep', undo: { ...OF_TRANSACTION, orAbove: 'lateMcSeqno' } } as const

const eventTable = <F extends Fields>(name: string, fields: F) => table(name, { ...eventFields, ...fields }, LATE_EVENT)

export const jettonTransfers = eventTable('jetton_transfers', {
  source: account,
  destination: account,
  amount: numeric,
  sourceWallet: account,
  jetton: account,
  forwardTonAmount: nullable(numeric),
  forwardPayload: nullable(bytea),
})

export type JettonTransferRow = RowFrom<typeof jettonTransfers>

export const jettonBurns = eventTable('jetton_burns', {
  owner: account,
  jettonWallet: account,
  jetton: account,
  amount: numeric,
})

export type JettonBurnRow = RowFrom<typeof jettonBurns>

export const nftTransfers = eventTable('nft_transfers', {
  nft: account,
  collection: nullable(account),
  oldOwner: account,
  newOwner: account,
  forwardAmount: nullable(numeric),
  forwardPayload: nullable(bytea),
})

export type NftTransferRow = RowFrom<typeof nftTransfers>

export const nftOwners = table(
  'nft_owners',
  {
    /** The transaction of the item that may have changed its owner. */
    txHash: bytea,
    account,
    /** Before the transaction, or before the block. */
    oldOwner: nullable(account),
    newOwner: nullable(account),
    /** Whether the change is its own; otherwise it is that of all transactions of the item in its block of the masterchain. */
    isAlone: bool,
    /** Its masterchain block, and the collection that the item has, or had; null where they were not written yet. */
    mcSeqno: nullable(int4),
    collection: nullable(account),
  },
  EVENT,
)

export type NftOwnersRow = RowFrom<typeof nftOwners>

export const eventTables = { jettonTransfers, jettonBurns, nftTransfers }

/** A row of each table, with what is not read. */
export type WrittenEvent = { readonly [K in keyof typeof eventTables]: WrittenRowFrom<(typeof eventTables)[K]> }
