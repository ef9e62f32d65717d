// Accounts, their states and code, and traces as their tables take them.

import type { AccountRow, AccountStateRow, CodeRow, PendingEdgeRow, TraceAccountRow, TraceRow } from '../rows.ts'
import { sql } from '../sql.ts'
import type { Table } from './bulk.ts'
import { jsonOf } from './chainTables.ts'

const stateColumns: Table<AccountStateRow>['columns'] = [
  ['hash', 'bytea', (row) => row.hash],
  ['balance', 'numeric', (row) => row.balance],
  ['extra', 'json', (row) => jsonOf(row.extra)],
  ['status', 'text', (row) => row.status],
  ['frozen_hash', 'bytea', (row) => row.frozenHash],
  ['data_hash', 'bytea', (row) => row.dataHash],
  ['code_hash', 'bytea', (row) => row.codeHash],
]

/** A state is named by its content: whoever comes second has nothing to add. */
export const accountStatesTable: Table<AccountStateRow> = {
  name: 'account_states',
  columns: stateColumns,
  onConflict: sql`on conflict do nothing`,
}

// An account that was changed by hand, as the embedded chain allows, has the lt it had.
export const accountsTable: Table<AccountRow> = {
  name: 'accounts',
  columns: [
    ['account', 'bytea', (row) => row.account],
    ...stateColumns,
    ['last_tx_hash', 'bytea', (row) => row.lastTxHash],
    ['last_tx_lt', 'int8', (row) => row.lastTxLt],
    ['data', 'bytea', (row) => row.data],
    ['mc_seqno', 'int4', (row) => row.mcSeqno],
  ],
  onConflict: sql`on conflict (account) do update set
    hash = excluded.hash, balance = excluded.balance, extra = excluded.extra, status = excluded.status,
    frozen_hash = excluded.frozen_hash, data_hash = excluded.data_hash, code_hash = excluded.code_hash,
    last_tx_hash = excluded.last_tx_hash, last_tx_lt = excluded.last_tx_lt,
    data = excluded.data, mc_seqno = excluded.mc_seqno
    where (accounts.last_tx_lt, accounts.mc_seqno) <= (excluded.last_tx_lt, excluded.mc_seqno)`,
}

export const codesTable: Table<CodeRow> = {
  name: 'codes',
  columns: [
    ['hash', 'bytea', (row) => row.hash],
    ['boc', 'bytea', (row) => row.boc],
    ['methods', 'int4[]', (row) => row.methods],
    ['interfaces', 'text[]', (row) => row.interfaces],
  ],
  onConflict: sql`on conflict do nothing`,
}

export const tracesTable: Table<TraceRow> = {
  name: 'traces',
  columns: [
    ['trace_id', 'bytea', (row) => row.traceId],
    ['external_hash', 'bytea', (row) => row.externalHash],
    ['mc_seqno_start', 'int4', (row) => row.mcSeqnoStart],
    ['mc_seqno_end', 'int4', (row) => row.mcSeqnoEnd],
    ['start_lt', 'int8', (row) => row.startLt],
    ['start_utime', 'int8', (row) => row.startUtime],
    ['end_lt', 'int8', (row) => row.endLt],
    ['end_utime', 'int8', (row) => row.endUtime],
    ['state', 'text', (row) => row.state],
    ['pending_edges', 'int4', (row) => row.pendingEdges],
    ['edges', 'int4', (row) => row.edges],
    ['nodes', 'int4', (row) => row.nodes],
    ['classification', 'text', (row) => row.classification],
  ],
  // What a trace began with does not change.
  onConflict: sql`on conflict (trace_id) do update set
    mc_seqno_end = excluded.mc_seqno_end, end_lt = excluded.end_lt, end_utime = excluded.end_utime,
    state = excluded.state, pending_edges = excluded.pending_edges, edges = excluded.edges, nodes = excluded.nodes,
    classification = excluded.classification`,
}

export const pendingEdgesTable: Table<PendingEdgeRow> = {
  name: 'pending_edges',
  columns: [
    ['msg_hash', 'bytea', (row) => row.msgHash],
    ['trace_id', 'bytea', (row) => row.traceId],
  ],
  onConflict: sql`on conflict do nothing`,
}

export const traceAccountsTable: Table<TraceAccountRow> = {
  name: 'trace_accounts',
  columns: [
    ['account', 'bytea', (row) => row.account],
    ['trace_id', 'bytea', (row) => row.traceId],
    ['end_lt', 'int8', (row) => row.endLt],
    ['end_utime', 'int8', (row) => row.endUtime],
  ],
}
