// Accounts, their states and code, and traces as their tables take them.

import type { AccountRow, AccountStateRow, CodeRow, PendingEdgeRow, TraceAccountRow, TraceRow } from '../rows.ts'
import { sql } from '../sql.ts'
import type { Table } from './bulk.ts'
import { type Columns, jsonOf } from './chainTables.ts'

const stateColumnTypes: Table<Columns>['columns'] = [
  ['hash', 'bytea'],
  ['balance', 'numeric'],
  ['extra', 'json'],
  ['status', 'text'],
  ['frozen_hash', 'bytea'],
  ['data_hash', 'bytea'],
  ['code_hash', 'bytea'],
]

/** A state is named by its content: whoever comes second has nothing to add. */
export const accountStatesTable: Table<Columns> = {
  name: 'account_states',
  columns: stateColumnTypes,
  onConflict: sql`on conflict do nothing`,
}

export const stateColumns = (row: AccountStateRow): Columns => ({
  hash: row.hash,
  balance: row.balance,
  extra: jsonOf(row.extra),
  status: row.status,
  frozen_hash: row.frozenHash,
  data_hash: row.dataHash,
  code_hash: row.codeHash,
})

// An account that was changed by hand, as the embedded chain allows, has the lt it had.
export const accountsTable: Table<Columns> = {
  name: 'accounts',
  columns: [
    ['account', 'bytea'],
    ...stateColumnTypes,
    ['last_tx_hash', 'bytea'],
    ['last_tx_lt', 'int8'],
    ['data', 'bytea'],
    ['mc_seqno', 'int4'],
  ],
  onConflict: sql`on conflict (account) do update set
    hash = excluded.hash, balance = excluded.balance, extra = excluded.extra, status = excluded.status,
    frozen_hash = excluded.frozen_hash, data_hash = excluded.data_hash, code_hash = excluded.code_hash,
    last_tx_hash = excluded.last_tx_hash, last_tx_lt = excluded.last_tx_lt,
    data = excluded.data, mc_seqno = excluded.mc_seqno
    where (accounts.last_tx_lt, accounts.mc_seqno) <= (excluded.last_tx_lt, excluded.mc_seqno)`,
}

export const accountColumns = (row: AccountRow): Columns => ({
  account: row.account,
  ...stateColumns(row),
  last_tx_hash: row.lastTxHash,
  last_tx_lt: row.lastTxLt,
  data: row.data,
  mc_seqno: row.mcSeqno,
})

export const codesTable: Table<Columns> = {
  name: 'codes',
  columns: [
    ['hash', 'bytea'],
    ['boc', 'bytea'],
    ['methods', 'int4[]'],
    ['interfaces', 'text[]'],
  ],
  onConflict: sql`on conflict do nothing`,
}

export const codeColumns = ({ hash, boc, methods, interfaces }: CodeRow): Columns => ({
  hash,
  boc,
  methods,
  interfaces,
})

export const tracesTable: Table<Columns> = {
  name: 'traces',
  columns: [
    ['trace_id', 'bytea'],
    ['external_hash', 'bytea'],
    ['mc_seqno_start', 'int4'],
    ['mc_seqno_end', 'int4'],
    ['start_lt', 'int8'],
    ['start_utime', 'int8'],
    ['end_lt', 'int8'],
    ['end_utime', 'int8'],
    ['state', 'text'],
    ['pending_edges', 'int4'],
    ['edges', 'int4'],
    ['nodes', 'int4'],
    ['classification', 'text'],
  ],
  // What a trace began with does not change.
  onConflict: sql`on conflict (trace_id) do update set
    mc_seqno_end = excluded.mc_seqno_end, end_lt = excluded.end_lt, end_utime = excluded.end_utime,
    state = excluded.state, pending_edges = excluded.pending_edges, edges = excluded.edges, nodes = excluded.nodes,
    classification = excluded.classification`,
}

export const traceColumns = (row: TraceRow): Columns => ({
  trace_id: row.traceId,
  external_hash: row.externalHash,
  mc_seqno_start: row.mcSeqnoStart,
  mc_seqno_end: row.mcSeqnoEnd,
  start_lt: row.startLt,
  start_utime: row.startUtime,
  end_lt: row.endLt,
  end_utime: row.endUtime,
  state: row.state,
  pending_edges: row.pendingEdges,
  edges: row.edges,
  nodes: row.nodes,
  classification: row.classification,
})

export const pendingEdgesTable: Table<Columns> = {
  name: 'pending_edges',
  columns: [
    ['msg_hash', 'bytea'],
    ['trace_id', 'bytea'],
  ],
  onConflict: sql`on conflict do nothing`,
}

export const edgeColumns = ({ msgHash, traceId }: PendingEdgeRow): Columns => ({ msg_hash: msgHash, trace_id: traceId })

export const traceAccountsTable: Table<Columns> = {
  name: 'trace_accounts',
  columns: [
    ['account', 'bytea'],
    ['trace_id', 'bytea'],
    ['end_lt', 'int8'],
    ['end_utime', 'int8'],
  ],
}

export const traceAccountColumns = (row: TraceAccountRow): Columns => ({
  account: row.account,
  trace_id: row.traceId,
  end_lt: row.endLt,
  end_utime: row.endUtime,
})
