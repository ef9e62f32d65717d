// Everything masterchain blocks bring, in one SQL transaction with the cursor: either all of it is there or nothing.

import type { ActionWrites } from '../actionRows.ts'
import type { AssetRows } from '../assetRows.ts'
import type { Sql } from '../database.ts'
import { StoreError } from '../errors.ts'
import type {
  AccountRow,
  AccountStateRow,
  BlockRow,
  CodeRow,
  CursorRow,
  PendingEdgeRow,
  SentMessage,
  ShardTopRow,
  TakingTransaction,
  TraceAccountRow,
  TraceRow,
} from '../rows.ts'
import { sql } from '../sql.ts'
import {
  accountStatesTable,
  accountsTable,
  codesTable,
  pendingEdgesTable,
  traceAccountsTable,
  tracesTable,
} from './accountTables.ts'
import { markTraces, writeActions } from './actions.ts'
import { ask } from './ask.ts'
import { writeAssets } from './assets.ts'
import { insertRows } from './bulk.ts'
import { blocksTable, messagesTable, shardTopsTable, transactionsTable } from './chainTables.ts'
import { together } from './together.ts'

/** What one masterchain block, or several that follow each other, brought. No key stands in a list twice. */
export interface MasterBlockRows {
  readonly blocks: readonly BlockRow[]
  readonly shardTops: readonly ShardTopRow[]
  readonly transactions: readonly TakingTransaction[]
  readonly messages: readonly SentMessage[]
  readonly accountStates: readonly AccountStateRow[]
  readonly accounts: readonly AccountRow[]
  readonly codes: readonly CodeRow[]
  /** As they stand afterwards. */
  readonly traces: readonly TraceRow[]
  /** Of traces that began and ended within these blocks. */
  readonly traceAccounts: readonly TraceAccountRow[]
  /** Traces that began before these blocks and ended in them. */
  readonly completedTraces: readonly Uint8Array[]
  readonly newEdges: readonly PendingEdgeRow[]
  /** Messages that were pending before and were consumed. */
  readonly consumedEdges: readonly Uint8Array[]
  /** Left out where contracts are not looked at. */
  readonly assets?: AssetRows
  readonly cursor: CursorRow
  /** The last masterchain block indexed before these; null when there is none. */
  readonly previous: number | null
}

const NO_ACTIONS: ActionWrites = { actions: [], failed: [], broken: [] }

/**
 * Writes into the SQL transaction `to` belongs to, with what the traces that are complete now did. A block that is there
 * already makes it fail.
 */
export async function writeMasterBlocks(to: Sql, rows: MasterBlockRows, actions = NO_ACTIONS): Promise<void> {
  const { assets, completedTraces } = rows
  const moved = moveCursor(to, rows.cursor, rows.previous)
  consumeEdges(to, rows.consumedEdges)
  await together([
    moved,
    insertRows(to, blocksTable, rows.blocks),
    insertRows(to, shardTopsTable, rows.shardTops),
    insertRows(to, transactionsTable, rows.transactions),
    insertRows(to, messagesTable, rows.messages),
    insertRows(to, accountStatesTable, rows.accountStates),
    insertRows(to, accountsTable, rows.accounts),
    insertRows(to, codesTable, rows.codes),
    insertRows(to, tracesTable, rows.traces),
    insertRows(to, pendingEdgesTable, rows.newEdges),
    insertRows(to, traceAccountsTable, rows.traceAccounts),
    assets === undefined ? Promise.resolve() : writeAssets(to, assets),
    writeActions(to, actions),
  ])
  // These look at what was written, all of it.
  if (completedTraces.length > 0) addTraceAccounts(to, completedTraces)
  markTraces(to, actions)
}

function consumeEdges(to: Sql, edges: readonly Uint8Array[]): void {
  if (edges.length > 0) ask(to, sql`delete from pending_edges where msg_hash = any(${edges}::bytea[])`)
}

/** Of traces whose transactions are spread over blocks written before. */
function addTraceAccounts(to: Sql, traces: readonly Uint8Array[]): void {
  ask(
    to,
    sql`insert into trace_accounts (account, trace_id, end_lt, end_utime)
    select distinct transactions.account, traces.trace_id, traces.end_lt, traces.end_utime
    from traces join transactions on transactions.trace_id = traces.trace_id
    where traces.trace_id = any(${traces}::bytea[])`,
  )
}

/** Holds the cursor's row to the end of the transaction, so that of two who would write the second sees the first. */
async function moveCursor(to: Sql, cursor: CursorRow, previous: number | null): Promise<void> {
  const { network, firstMcSeqno, lastMcSeqno } = cursor
  const moved = await to.query(
    previous === null
      ? sql`insert into indexer_cursor (network, first_mc_seqno, last_mc_seqno)
          values (${network}, ${firstMcSeqno}, ${lastMcSeqno}) on conflict do nothing returning true as moved`
      : sql`update indexer_cursor set last_mc_seqno = ${lastMcSeqno}
          where last_mc_seqno = ${previous} and first_mc_seqno = ${firstMcSeqno} returning true as moved`,
  )
  if (moved.length === 0) throw new StoreError('conflict', 'the index has been written to by somebody else')
}
