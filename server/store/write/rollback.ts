// Going back to an earlier masterchain block. Blocks and what happened in them are deleted; what a trace was then is counted
// from the transactions it still has. Account states and code stay: their keys are hashes of their content, and they are only
// read through a transaction or an account.

import type { Sql, SqlRow, SqlText } from '../database.ts'
import { inRounds } from '../read/read.ts'
import { equalsAnyHash, equalsHash, isOneOfAccounts } from '../read/shortKey.ts'
import { sql } from '../sql.ts'
import { type AccountRow, accounts as accountsTable } from '../tables/accounts.ts'
import { allTables } from '../tables/all.ts'
import type { AccountKey } from '../tables/column.ts'
import type { ContractsFound } from '../tables/contracts.ts'
import type { AnyTable } from '../tables/table.ts'
import { forgetActions } from './actions.ts'
import { restoreContracts } from './assets.ts'
import { insertRows } from './bulk.ts'
import { BAGS_OF_DELETED, forgetBags } from './sharedBags.ts'
import { restoreStaking, type StakingRows } from './staking.ts'
import { uncountTransactions } from './statistics.ts'
import { forgetTexts } from './texts.ts'
import { forgetAccountsOf } from './traceAccounts.ts'

/** Which blocks are deleted, and what accounts were before them. */
export interface Rollback {
  /** The last masterchain block that stays. */
  readonly mcSeqno: number
  /** Accounts that were touched above it, as they were then. */
  readonly accounts: readonly AccountRow[]
  /** Those that were touched above it and did not exist then. */
  readonly gone: readonly AccountKey[]
  /** What all these were then; absent when contracts are not classified. */
  readonly contracts?: ContractsFound
  /** Elections and pools as they were then; absent when none were indexed. */
  readonly staking?: StakingRows
}

/** A statement may read a whole table, or delete most of one: 100 GB of accounts take minutes. */
const STATEMENT_MS = 3_600_000

const patient = (to: Sql): Sql => ({
  query: (statement, options) => to.query(statement, { timeoutMs: STATEMENT_MS, ...options }),
})

/** Undoes every masterchain block above one. In the SQL transaction `to` belongs to. */
export async function rollbackTo(to: Sql, { mcSeqno, accounts, gone, contracts, staking }: Rollback): Promise<void> {
  const on = patient(to)
  await forgetTexts(on, mcSeqno)
  const touched = await touchedTraces(on, mcSeqno)
  await inRounds(touched, async (traces) => {
    forgetAccountsOf(on, traces)
    await forgetActions(on, traces)
    return []
  })
  await forgetMessages(on, mcSeqno)
  await uncountTransactions(on, mcSeqno)
  await undoRows(on, mcSeqno)
  await inRounds(touched, (traces) => recountTraces(on, traces))
  await insertRows(on, accountsTable, accounts)
  await inRounds(gone, (some) => restoreGone(on, some))
  if (contracts !== undefined) await restoreContracts(on, contracts)
  await restoreStaking(on, mcSeqno, staking ?? null)
  await on.query(sql`update indexer_cursor set last_mc_seqno = ${mcSeqno}`)
}

/** Deletes the rows of all tables that say by which column: those of parts first, by what they are parts of. */
async function undoRows(on: Sql, mcSeqno: number): Promise<void> {
  const goneOf = ({ name, undo }: AnyTable, column: string): SqlText => {
    if (undo === null || !('above' in undo)) throw new Error(`No column says when rows of ${name} go`)
    return sql`select ${sql.identifier(column)} from ${sql.identifier(name)} where ${sql.identifier(undo.above)} > ${mcSeqno}`
  }
  for (const { name, undo } of allTables)
    if (undo !== null && 'with' in undo) {
      await on.query(sql`delete from ${sql.identifier(name)}
        where ${sql.identifier(undo.by)} in (${goneOf(undo.with, undo.of ?? undo.by)})`)
      if (undo.orAbove !== undefined)
        await on.query(sql`delete from ${sql.identifier(name)} where ${sql.identifier(undo.orAbove)} > ${mcSeqno}`)
    }
  for (const { name, undo } of allTables)
    if (undo !== null && 'above' in undo)
      await on.query(sql`delete from ${sql.identifier(name)} where ${sql.identifier(undo.above)} > ${mcSeqno}`)
}

/** Empties the index: no block of it is part of the chain. */
export async function forgetAllRows(on: Sql): Promise<void> {
  await on.query(sql`truncate ${sql.join(allTables.map(({ name }) => sql.identifier(name)))}`)
}

// The row of a deleted account is made from its last transaction, or from `gone_accounts` when that was removed.
function restoreGone(on: Sql, gone: readonly AccountKey[]): Promise<readonly SqlRow[]> {
  return on.query(sql`insert into accounts (account, hash, balance, extra, status, last_tx_hash, last_tx_lt, mc_seqno)
    select distinct on (account) account, state, 0, '{}', 'nonexist', hash, lt, mc_seqno from (
      select account, hash as state, last_tx_hash as hash, last_tx_lt as lt, mc_seqno from gone_accounts
        where account = any(${gone}::bytea[])
      union all select account, state_after, hash, lt, mc_seqno from transactions
        where ${isOneOfAccounts(sql`account`, gone)}) as last
    order by account, lt desc`)
}

async function touchedTraces(on: Sql, mcSeqno: number): Promise<readonly Uint8Array[]> {
  const rows = await on.query<{ trace_id: Uint8Array }>(
    sql`select distinct trace_id from transactions where mc_seqno > ${mcSeqno}`,
  )
  return rows.map(({ trace_id }) => trace_id)
}

// A message is deleted when no transaction that stays has sent or received it.
async function forgetMessages(on: Sql, mcSeqno: number): Promise<void> {
  const deleted =
    await on.query(sql`with gone as (select hash, in_msg_hash from transactions where mc_seqno > ${mcSeqno})
    delete from messages m
    where hash in (select hash from messages where out_tx_hash in (select hash from gone)
        union select in_msg_hash from gone where in_msg_hash is not null)
      and not exists (select 1 from transactions stay
        where stay.mc_seqno <= ${mcSeqno} and stay.in_msg_hash = m.hash)
      and not exists (select 1 from transactions stay
        where stay.mc_seqno <= ${mcSeqno} and stay.hash = m.out_tx_hash)
    returning ${BAGS_OF_DELETED}`)
  await forgetBags(on, deleted)
  // Some that stay were sent by transactions that are deleted.
  await on.query(sql`update messages set out_tx_hash = null, out_lt = null
    where out_tx_hash in (select hash from transactions where mc_seqno > ${mcSeqno})`)
}

/** Counts traces from the transactions they have, and deletes those without any. */
async function recountTraces(on: Sql, traces: readonly Uint8Array[]): Promise<readonly SqlRow[]> {
  await on.query(sql`delete from pending_edges where trace_id = any(${traces}::bytea[])`)
  await on.query(sql`delete from traces where trace_id = any(${traces}::bytea[])
    and not exists (select 1 from transactions where ${equalsHash(sql`transactions.trace_id`, sql`traces.trace_id`)} offset 0)`)
  await on.query(sql`insert into pending_edges (msg_hash, trace_id)
    select messages.hash, transactions.trace_id
    from transactions join messages on messages.out_tx_hash = transactions.hash
    where ${equalsAnyHash(sql`transactions.trace_id`, traces)} and messages.kind in ('internal', 'i')
      and not exists (select 1 from transactions heir where heir.in_msg_hash = messages.hash)`)
  return await on.query(sql`update traces set
      mc_seqno_end = counted.mc_seqno_end, end_lt = counted.end_lt, end_utime = counted.end_utime,
      nodes = counted.nodes,
      edges = counted.logs + counted.nodes - case when traces.state = 'broken' or traces.external_hash is null then 1 else 0 end,
      pending_edges = counted.pending + case when traces.state = 'broken' then 1 else 0 end,
      state = case when traces.state = 'broken' then 'broken' else 'pending' end,
      classification = 'unclassified'
    from (select trace_id, max(mc_seqno) as mc_seqno_end, max(lt) as end_lt, max(now) as end_utime,
        count(*) as nodes,
        (select count(*) from pending_edges where pending_edges.trace_id = transactions.trace_id) as pending,
        (select count(*) from messages join transactions sender on sender.hash = messages.out_tx_hash
          where ${equalsHash(sql`sender.trace_id`, sql`transactions.trace_id`)} and messages.kind = 'externalOut') as logs
      from transactions where ${equalsAnyHash(sql`trace_id`, traces)} group by trace_id) as counted
    where traces.trace_id = counted.trace_id`)
}
