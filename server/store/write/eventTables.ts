// What tokens did, as its tables take it. An event is named by its transaction: whoever finds it again has nothing to add.

import type { JettonBurnRow, JettonTransferRow, NftTransferRow } from '../assetRows.ts'
import { sql } from '../sql.ts'
import type { AssetTable } from './assetTables.ts'
import type { Table } from './bulk.ts'
import type { Columns } from './chainTables.ts'

type ColumnTypes = Table<Columns>['columns']

const EVENT: ColumnTypes = [
  ['tx_hash', 'bytea'],
  ['tx_lt', 'int8'],
  ['tx_now', 'int8'],
  ['aborted', 'bool'],
  ['trace_id', 'bytea'],
  ['query_id', 'numeric'],
  ['response_destination', 'bytea'],
  ['custom_payload', 'bytea'],
]

const eventColumns = (row: JettonTransferRow | JettonBurnRow | NftTransferRow): Columns => ({
  ...{ tx_hash: row.txHash, tx_lt: row.txLt, tx_now: row.txNow, aborted: row.aborted, trace_id: row.traceId },
  ...{ query_id: row.queryId, response_destination: row.responseDestination, custom_payload: row.customPayload },
})

const eventTable = (name: string, columns: ColumnTypes): Table<Columns> => ({
  name,
  columns: [...EVENT, ...columns],
  onConflict: sql`on conflict do nothing`,
})

export const jettonTransfers: AssetTable<JettonTransferRow> = {
  table: eventTable('jetton_transfers', [
    ['source', 'bytea'],
    ['destination', 'bytea'],
    ['amount', 'numeric'],
    ['source_wallet', 'bytea'],
    ['jetton', 'bytea'],
    ['forward_ton_amount', 'numeric'],
    ['forward_payload', 'bytea'],
  ]),
  columns: (row) => ({
    ...eventColumns(row),
    ...{ source: row.source, destination: row.destination, amount: row.amount },
    ...{ source_wallet: row.sourceWallet, jetton: row.jetton },
    ...{ forward_ton_amount: row.forwardTonAmount, forward_payload: row.forwardPayload },
  }),
}

export const jettonBurns: AssetTable<JettonBurnRow> = {
  table: eventTable('jetton_burns', [
    ['owner', 'bytea'],
    ['jetton_wallet', 'bytea'],
    ['jetton', 'bytea'],
    ['amount', 'numeric'],
  ]),
  columns: (row) => ({
    ...eventColumns(row),
    ...{ owner: row.owner, jetton_wallet: row.jettonWallet, jetton: row.jetton, amount: row.amount },
  }),
}

export const nftTransfers: AssetTable<NftTransferRow> = {
  table: eventTable('nft_transfers', [
    ['nft', 'bytea'],
    ['collection', 'bytea'],
    ['old_owner', 'bytea'],
    ['new_owner', 'bytea'],
    ['forward_amount', 'numeric'],
    ['forward_payload', 'bytea'],
  ]),
  columns: (row) => ({
    ...eventColumns(row),
    ...{ nft: row.nft, collection: row.collection, old_owner: row.oldOwner, new_owner: row.newOwner },
    ...{ forward_amount: row.forwardAmount, forward_payload: row.forwardPayload },
  }),
}

export const EVENT_TABLES = [jettonTransfers.table.name, jettonBurns.table.name, nftTransfers.table.name] as const
