// What tokens did, as its tables take it. An event is named by its transaction: whoever finds it again has nothing to add.

import type { JettonBurnRow, JettonTransferRow, NftTransferRow } from '../assetRows.ts'
import { sql } from '../sql.ts'
import type { Column, Table } from './bulk.ts'

type EventRow = JettonTransferRow | JettonBurnRow | NftTransferRow

const eventTable = <R extends EventRow>(name: string, columns: readonly Column<R>[]): Table<R> => ({
  name,
  columns: [
    ['tx_hash', 'bytea', (row) => row.txHash],
    ['tx_lt', 'int8', (row) => row.txLt],
    ['tx_now', 'int8', (row) => row.txNow],
    ['aborted', 'bool', (row) => row.aborted],
    ['trace_id', 'bytea', (row) => row.traceId],
    ['query_id', 'numeric', (row) => row.queryId],
    ['response_destination', 'bytea', (row) => row.responseDestination],
    ['custom_payload', 'bytea', (row) => row.customPayload],
    ...columns,
  ],
  onConflict: sql`on conflict do nothing`,
})

export const jettonTransfers = eventTable<JettonTransferRow>('jetton_transfers', [
  ['source', 'bytea', (row) => row.source],
  ['destination', 'bytea', (row) => row.destination],
  ['amount', 'numeric', (row) => row.amount],
  ['source_wallet', 'bytea', (row) => row.sourceWallet],
  ['jetton', 'bytea', (row) => row.jetton],
  ['forward_ton_amount', 'numeric', (row) => row.forwardTonAmount],
  ['forward_payload', 'bytea', (row) => row.forwardPayload],
])

export const jettonBurns = eventTable<JettonBurnRow>('jetton_burns', [
  ['owner', 'bytea', (row) => row.owner],
  ['jetton_wallet', 'bytea', (row) => row.jettonWallet],
  ['jetton', 'bytea', (row) => row.jetton],
  ['amount', 'numeric', (row) => row.amount],
])

export const nftTransfers = eventTable<NftTransferRow>('nft_transfers', [
  ['nft', 'bytea', (row) => row.nft],
  ['collection', 'bytea', (row) => row.collection],
  ['old_owner', 'bytea', (row) => row.oldOwner],
  ['new_owner', 'bytea', (row) => row.newOwner],
  ['forward_amount', 'numeric', (row) => row.forwardAmount],
  ['forward_payload', 'bytea', (row) => row.forwardPayload],
])

export const EVENT_TABLES = [jettonTransfers, jettonBurns, nftTransfers].map(({ name }) => name)
