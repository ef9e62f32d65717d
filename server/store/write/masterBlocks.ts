// Everything masterchain blocks bring, in one SQL transaction with the cursor: either all of it is there or nothing.

import type { AssetRows } from '../assetRows.ts'
import type { Sql } from '../database.ts'
import { StoreError } from '../errors.ts'
import type {
  AccountRow,
  AccountStateRow,
  BlockRow,
  CodeRow,
  CursorRow,
  MessageRow,
  PendingEdgeRow,
  ShardTopRow,
  TraceAccountRow,
  TraceRow,
  TransactionRow,
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
import { writeAssets } from './assets.ts'
import { insertRows } from './bulk.ts'
import { blocksTable, messagesTable, shardTopsTable, transactionsTable } from './chainTables.ts'
import { sentMessages, takingTransactions } from './ends.ts'

/** What one masterchain block, or several that follow each other, brought. No key stands in a list twice. */
export interface MasterBlockRows {
  readonly blocks: readonly BlockRow[]
  readonly shardTops: readonly ShardTopRow[]
  readonly transactions: readonly TransactionRow[]
  readonly messages: readonly MessageRow[]
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

/** Writes into the SQL transaction `to` belongs to. A block that is there already makes it fail. */
export async function writeMasterBlocks(to: Sql, rows: MasterBlockRows): Promise<void> {
  await moveCursor(to, rows.cursor, rows.previous)
  await insertRows(to, blocksTable, rows.blocks)
  await insertRows(to, shardTopsTable, rows.shardTops)
  await insertRows(to, transactionsTable, await takingTransactions(to, rows.transactions, rows.messages))
  await insertRows(to, messagesTable, sentMessages(rows.messages, rows.transactions))
  await insertRows(to, accountStatesTable, rows.accountStates)
  await insertRows(to, accountsTable, rows.accounts)
  await insertRows(to, codesTable, rows.codes)
  await writeTraces(to, rows)
  if (rows.assets !== undefined) await writeAssets(to, rows.assets)
}

async function writeTraces(to: Sql, rows: MasterBlockRows): Promise<void> {
  await insertRows(to, tracesTable, rows.traces)
  if (rows.consumedEdges.length > 0)
    await to.query(sql`delete from pending_edges where msg_hash = any(${rows.consumedEdges}::bytea[])`)
  await insertRows(to, pendingEdgesTable, rows.newEdges)
  await insertRows(to, traceAccountsTable, rows.traceAccounts)
  if (rows.completedTraces.length === 0) return
  // Whose transactions are spread over blocks written before.
  await to.query(sql`insert into trace_accounts (account, trace_id, end_lt, end_utime)
    select distinct transactions.account, traces.trace_id, traces.end_lt, traces.end_utime
    from traces join transactions on transactions.trace_id = traces.trace_id
    where traces.trace_id = any(${rows.completedTraces}::bytea[])`)
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
