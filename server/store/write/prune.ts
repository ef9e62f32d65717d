// Deletes rows that are older than the index keeps. First the bound is moved, which readers check; then rows are deleted in
// slices of one transaction each. The rows of a slice are read from the tables, so an interrupted slice is simply repeated.
//
// A trace is deleted as a whole, when its last block is older. Kept are the newest state of each account, states next to a kept
// transaction, and the newest block of each shard at the bound. Sub-selects are scalar where a join could be planned as a scan
// of a whole table.

import type { Sql } from '../database.ts'
import type { FirstBlock } from '../indexing/readIndexState.ts'
import { equalsHash, isAccount } from '../read/shortKey.ts'
import { WHOLE_SHARD_PREFIX } from '../read/timesOfLts.ts'
import { sql } from '../sql.ts'
import { transactions } from '../tables/chain.ts'
import { int4, nullable } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { eventTables, nftOwners } from '../tables/events.ts'
import { traces } from '../tables/traces.ts'
import { forgetActions } from './actions.ts'
import { enqueue } from './enqueue.ts'
import { BAGS_OF_DELETED, forgetBags } from './sharedBags.ts'
import { forgetAccountsOf, forgetTraceAccounts } from './traceAccounts.ts'

const decodeBound = decoderOf({ seqno: int4, genUtime: traces.fields.endUtime })

/** Moves the bound to what the newest block leaves of a span, in seconds. Null when it is there already, or further. */
export async function moveBound(on: Sql, keepSeconds: number): Promise<FirstBlock | null> {
  const [row] = await on.query(sql`update indexer_cursor set pruned_before = found.seqno
    from (select b.seqno, b.gen_utime from blocks b
      where b.workchain = -1 and b.shard = ${WHOLE_SHARD_PREFIX} and b.gen_utime >= (
        select h.gen_utime - ${keepSeconds}::int8 from indexer_cursor c join blocks h
          on h.workchain = -1 and h.shard = ${WHOLE_SHARD_PREFIX} and h.seqno = c.last_mc_seqno)
      order by b.gen_utime, b.mc_seqno, b.seqno limit 1) found
    where found.seqno > greatest(first_mc_seqno, pruned_before)
    returning found.seqno, found.gen_utime`)
  if (row === undefined) return null
  const { seqno, genUtime } = decodeBound(row)
  return { seqno, utime: genUtime, isPruned: true }
}

export interface PrunedSlice {
  readonly transactions: number
  /** Where the next slice goes on; null when nothing is due any more. */
  readonly next: PruneStep | null
}

/** Traces from the end block of the last one on, or blocks once all traces are gone. */
type PruneStep = { readonly of: 'traces'; readonly from: number } | { readonly of: 'blocks' }

/** Deletes some of what is older than the bound: about so many transactions, or blocks. */
export async function pruneSlice(
  on: Sql,
  most: number,
  step: PruneStep = { of: 'traces', from: 0 },
): Promise<PrunedSlice> {
  // Of two concurrent slices the second would not see what the first has left.
  const [row] = await on.query(sql`select pruned_before from indexer_cursor for update`)
  const bound = row === undefined ? null : nullable(int4).decode(row.pruned_before)
  if (bound === null) return { transactions: 0, next: null }
  if (step.of === 'blocks') return { transactions: 0, next: await pruneBlocks(on, bound, most) }
  const due = await dueTraces(on, { bound, from: step.from, most })
  const [first] = due
  if (first === undefined) return { transactions: 0, next: { of: 'blocks' } }
  const gone = await goneTransactions(on, due, most)
  const isAll = gone.length < most
  if (!isAll) await hideTraces(on, due)
  await deleteTransactions(on, gone)
  // A trace of more transactions goes with the last of them.
  if (isAll) await deleteTraces(on, due)
  return { transactions: gone.length, next: { of: 'traces', from: first.mcSeqnoEnd } }
}

const decodeDue = decoderOf({
  traceId: traces.fields.traceId,
  mcSeqnoEnd: traces.fields.mcSeqnoEnd,
  nodes: traces.fields.nodes,
})
type DueTrace = ReturnType<typeof decodeDue>

/** Excludes traces with a pending message: their next transactions are still to be indexed. */
async function dueTraces(
  on: Sql,
  { bound, from, most }: { readonly bound: number; readonly from: number; readonly most: number },
): Promise<readonly DueTrace[]> {
  const rows = await on.query(sql`select k.trace_id, k.mc_seqno_end, k.nodes from traces k
    where k.mc_seqno_end >= ${from} and k.mc_seqno_end < ${bound}
      and not exists (select from pending_edges e where e.trace_id = k.trace_id)
    order by k.mc_seqno_end limit ${most}`)
  let count = 0
  return rows.map(decodeDue).filter(({ nodes }, i) => {
    count += nodes
    return i === 0 || count < most
  })
}

const { hash, account, lt, prevHash, inMsgHash, stateBefore, stateAfter } = transactions.fields
const { traceId, endLt } = traces.fields
const decodeGone = decoderOf({ hash, account, lt, prevHash, inMsgHash, stateBefore, stateAfter, traceId, endLt })
type GoneTransaction = ReturnType<typeof decodeGone>

async function goneTransactions(on: Sql, due: readonly DueTrace[], most: number): Promise<readonly GoneTransaction[]> {
  const rows =
    await on.query(sql`select t.hash, t.account, t.lt, t.prev_hash, t.in_msg_hash, t.state_before, t.state_after,
      t.trace_id, k.end_lt
    from traces k cross join lateral (
      select * from transactions o where ${equalsHash(sql`o.trace_id`, sql`k.trace_id`)} offset 0) t
    where k.trace_id = any(${due.map((one) => one.traceId)}::bytea[]) limit ${most}`)
  return rows.map(decodeGone)
}

async function deleteTransactions(on: Sql, gone: readonly GoneTransaction[]): Promise<void> {
  if (gone.length === 0) return
  const hashes = gone.map((one) => one.hash)
  const accounts = gone.map((one) => one.account)
  // As every write of texts does, so that none outlives its transaction.
  enqueue(on, sql`select version from text_progress for update`)
  enqueue(on, sql`delete from transaction_texts where hash = any(${hashes}::bytea[])`)
  for (const { name } of [...Object.values(eventTables), nftOwners])
    enqueue(on, sql`delete from ${sql.identifier(name)} where tx_hash = any(${hashes}::bytea[])`)
  forgetTraceAccounts(
    on,
    sql`unnest(${accounts}::bytea[], ${gone.map((one) => one.endLt)}::int8[], ${gone.map((one) => one.traceId)}::bytea[])`,
  )
  rememberGone(on, hashes)
  enqueue(on, sql`delete from transactions where hash = any(${hashes}::bytea[])`)
  const received = gone.map((one) => one.inMsgHash).filter((one) => one !== null)
  const messages = await on.query(
    sql`delete from messages m
      where m.hash = any(array(select hash from messages where out_tx_hash = any(${hashes}::bytea[])
          union select unnest(${received}::bytea[])))
        and (select 1 from transactions stay where stay.in_msg_hash = m.hash limit 1) is null
        and (select 1 from transactions stay where stay.hash = m.out_tx_hash limit 1) is null
      returning ${BAGS_OF_DELETED}`,
  )
  await forgetBags(on, messages)
  await deleteStates(on, gone)
}

/** Keeps the last transaction of deleted accounts: it cannot be read from the chain again. */
const rememberGone = (on: Sql, hashes: readonly Uint8Array[]): void =>
  enqueue(
    on,
    sql`insert into gone_accounts (account, hash, last_tx_hash, last_tx_lt, mc_seqno)
      select distinct on (account) account, state_after, hash, lt, mc_seqno
      from transactions where hash = any(${hashes}::bytea[]) and end_status = 'nonexist' order by account, lt desc
      on conflict (account) do update set last_tx_hash = excluded.last_tx_hash, last_tx_lt = excluded.last_tx_lt,
        mc_seqno = excluded.mc_seqno where gone_accounts.last_tx_lt < excluded.last_tx_lt`,
  )

/**
 * A state is that after one transaction and before the next of its account; that of a missing account belongs to all. The one before is
 * looked up by its hash: backwards along a busy account, the index holds all that was deleted of it since it was last vacuumed.
 */
async function deleteStates(on: Sql, gone: readonly GoneTransaction[]): Promise<void> {
  const states = gone.flatMap(({ stateBefore, stateAfter, ...of }) => [
    { ...of, state: stateBefore },
    { ...of, state: stateAfter },
  ])
  await on.query(sql`delete from account_states s
    where s.status <> 'nonexist' and s.hash = any(array(select gone.hash
      from unnest(${states.map((one) => one.account)}::bytea[], ${states.map((one) => one.lt)}::int8[],
        ${states.map((one) => one.prevHash)}::bytea[], ${states.map((one) => one.state)}::bytea[])
        as gone (account, lt, prev_hash, hash)
      where gone.hash is distinct from (select a.hash from accounts a where a.account = gone.account)
        and gone.hash is distinct from (select t.state_before from transactions t
          where ${isAccount(sql`t.account`, sql`gone.account`)} and t.lt > gone.lt order by t.lt limit 1)
        and gone.hash is distinct from (select t.state_after from transactions t
          where t.hash = gone.prev_hash limit 1)))`)
}

/** Of a trace that goes in several slices no reader sees a part: before the first one it leaves all lists. */
async function hideTraces(on: Sql, due: readonly DueTrace[]): Promise<void> {
  const hidden = await on.query<{ trace_id: Uint8Array }>(sql`update traces set state = 'broken'
    where trace_id = any(${due.map((one) => one.traceId)}::bytea[]) and state <> 'broken' returning trace_id`)
  if (hidden.length === 0) return
  const ids = hidden.map((one) => one.trace_id)
  forgetAccountsOf(on, ids)
  await forgetActions(on, ids)
}

async function deleteTraces(on: Sql, due: readonly DueTrace[]): Promise<void> {
  const ids = due.map((one) => one.traceId)
  await forgetActions(on, ids)
  await on.query(sql`delete from traces where trace_id = any(${ids}::bytea[])`)
}

/** The newest blocks of shards at the bound stay: `shard_tops` of blocks that stay name them. */
async function pruneBlocks(on: Sql, bound: number, most: number): Promise<PruneStep | null> {
  const tops = await on.query(sql`delete from shard_tops where ctid = any(array(
      select ctid from shard_tops where mc_seqno < ${bound} order by mc_seqno limit ${most}))
    returning mc_seqno`)
  const blocks = await on.query(sql`delete from blocks where ctid = any(array(
      select b.ctid from blocks b where b.mc_seqno < ${bound} and not exists (
          select from shard_tops t where t.mc_seqno = ${bound}
            and t.workchain = b.workchain and t.shard = b.shard and t.seqno = b.seqno)
        order by b.mc_seqno limit ${most}))
    returning mc_seqno`)
  return tops.length < most && blocks.length < most ? null : { of: 'blocks' }
}
