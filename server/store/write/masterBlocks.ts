// All rows of masterchain blocks, in one SQL transaction with the cursor: after a kill at any moment the index has all rows of
// a block or none.

import type { Sql, SqlRow } from '../database.ts'
import { readMaster } from '../indexing/reads.ts'
import { SCHEMA_STEP } from '../migrations/index.ts'
import { equalsHash } from '../read/shortKey.ts'
import { sql } from '../sql.ts'
import { StoreError } from '../storeError.ts'
import {
  type AccountRow,
  type AccountStateRow,
  accountStates,
  accounts,
  type CodeRow,
  codes,
} from '../tables/accounts.ts'
import {
  type BlockRow,
  blocks,
  messages,
  type ShardTopRow,
  shardTops,
  sharedBags,
  transactions,
  type WrittenMessage,
  type WrittenTransaction,
} from '../tables/chain.ts'
import { int4, nullable } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import type { BatchCursor } from '../tables/indexState.ts'
import {
  type PendingEdgeRow,
  pendingEdges,
  type TraceAccountRow,
  type TraceRow,
  traceAccounts,
  traces,
} from '../tables/traces.ts'
import { type ActionWrites, markTraces, writeActions } from './actions.ts'
import { type AssetRows, writeAssets } from './assets.ts'
import { insertRows } from './bulk.ts'
import { enqueue, settleAll } from './enqueue.ts'
import { writtenByAnother } from './lockIndex.ts'
import { sharedBagsOf } from './sharedBags.ts'
import { type StakingRows, writeStaking } from './staking.ts'
import { countTransactions } from './statistics.ts'

/** Rows of one masterchain block, or of consecutive ones. No key is in a list twice. */
export interface MasterBlockRows {
  readonly blocks: readonly BlockRow[]
  readonly shardTops: readonly ShardTopRow[]
  readonly transactions: readonly WrittenTransaction[]
  readonly messages: readonly WrittenMessage[]
  readonly accountStates: readonly AccountStateRow[]
  readonly accounts: readonly AccountRow[]
  readonly codes: readonly CodeRow[]
  /** Traces as they are after these blocks. */
  readonly traces: readonly TraceRow[]
  /** Of traces that began and ended within these blocks. */
  readonly traceAccounts: readonly TraceAccountRow[]
  /** Traces that began before these blocks and ended in them. */
  readonly completedTraces: readonly Uint8Array[]
  readonly newEdges: readonly PendingEdgeRow[]
  /** Messages that were pending before and were received. */
  readonly consumedEdges: readonly Uint8Array[]
  /** Absent when contracts are not classified. */
  readonly assets?: AssetRows
  /** Absent when staking is not read. */
  readonly staking?: StakingRows
  readonly cursor: BatchCursor
  /** The last masterchain block indexed before these; null when there is none. */
  readonly previous: number | null
  /** Its root hash: another process may have written another block of that number since. Absent: it is not compared. */
  readonly previousRootHash?: Uint8Array | undefined
}

const NO_ACTIONS: ActionWrites = { actions: [], failed: [], broken: [] }

/** Writes into the SQL transaction `to` belongs to. Fails on a block that is indexed already. */
export async function writeMasterBlocks(to: Sql, rows: MasterBlockRows, actions = NO_ACTIONS): Promise<void> {
  const { assets, staking, completedTraces } = rows
  const moved = moveCursor(to, rows)
  consumeEdges(to, rows.consumedEdges)
  await settleAll([
    moved,
    // First what the database takes longer to write than this thread to encode: it would wait for the transactions.
    insertRows(to, traceAccounts, rows.traceAccounts),
    insertRows(to, messages, rows.messages),
    insertRows(to, transactions, rows.transactions),
    countTransactions(to, rows.transactions),
    insertRows(to, sharedBags, sharedBagsOf(rows.messages)),
    insertRows(to, blocks, rows.blocks),
    insertRows(to, shardTops, rows.shardTops),
    insertRows(to, accountStates, rows.accountStates),
    insertRows(to, accounts, rows.accounts),
    insertRows(to, codes, rows.codes),
    insertRows(to, traces, rows.traces),
    insertRows(to, pendingEdges, rows.newEdges),
    assets === undefined ? Promise.resolve() : writeAssets(to, assets),
    staking === undefined ? Promise.resolve() : writeStaking(to, staking),
    writeActions(to, actions),
  ])
  // These read what the statements above write.
  if (completedTraces.length > 0) addTraceAccounts(to, completedTraces)
  completeCodes(to, assets?.codes ?? [])
  markTraces(to, actions)
}

/** Blocks show of a library no more than its name. What is in it is learned again after each start, mostly unchanged. */
function completeCodes(to: Sql, rows: readonly CodeRow[]): void {
  for (const { hash, methods, interfaces } of rows)
    enqueue(
      to,
      sql`update codes set methods = ${methods}::int4[], interfaces = ${interfaces}::text[] where hash = ${hash}
        and (methods, interfaces) is distinct from (${methods}::int4[], ${interfaces}::text[])`,
    )
}

function consumeEdges(to: Sql, edges: readonly Uint8Array[]): void {
  if (edges.length > 0) enqueue(to, sql`delete from pending_edges where msg_hash = any(${edges}::bytea[])`)
}

/** Of traces some of whose transactions were written with earlier blocks. */
function addTraceAccounts(to: Sql, traces: readonly Uint8Array[]): void {
  enqueue(
    to,
    sql`insert into trace_accounts (account, trace_id, end_lt, end_utime)
    select distinct t.account, traces.trace_id, traces.end_lt, traces.end_utime
    from traces cross join lateral (
      select account from transactions where ${equalsHash(sql`transactions.trace_id`, sql`traces.trace_id`)} offset 0) t
    where traces.trace_id = any(${traces}::bytea[])`,
  )
}

/** Locks the cursor's row until the transaction ends: the second of two writers waits, then sees the first one's cursor and blocks. */
async function moveCursor(to: Sql, { cursor, previous, previousRootHash }: MasterBlockRows): Promise<void> {
  const { network, firstMcSeqno, lastMcSeqno } = cursor
  const moved = to.query(
    previous === null
      ? sql`insert into indexer_cursor (network, first_mc_seqno, last_mc_seqno)
          values (${network}, ${firstMcSeqno}, ${lastMcSeqno}) on conflict do nothing returning ${NEWEST_STEP} as step`
      : sql`update indexer_cursor set last_mc_seqno = ${lastMcSeqno}
          where last_mc_seqno = ${previous} and first_mc_seqno = ${firstMcSeqno} returning ${NEWEST_STEP} as step`,
  )
  if (previous === null || previousRootHash === undefined) return refuseUnless((await moved)[0])
  // Sent behind it without waiting, and a statement of its own: it sees what was written while the row was waited for.
  const [rows, before] = await Promise.all([moved, readMaster(to, previous)])
  refuseUnless(rows[0], before !== null && Buffer.compare(before.rootHash, previousRootHash) === 0)
}

/** Read with each write: a newer version may change the tables while this process leads. */
const NEWEST_STEP = sql`(select max(number) from tonrpc_migrations)`
const decodeMoved = decoderOf({ step: nullable(int4) })

function refuseUnless(moved: SqlRow | undefined, isAsBefore = true): void {
  if (moved === undefined || !isAsBefore) throw writtenByAnother()
  const { step } = decodeMoved(moved)
  if (step === null || step <= SCHEMA_STEP) return
  throw new StoreError(
    'mismatch',
    `a newer version of this program has changed the tables of the index to version ${step}, this one knows versions up to ` +
      `${SCHEMA_STEP}, and leaves the index to the newer one: replace this process by one of it`,
  )
}
