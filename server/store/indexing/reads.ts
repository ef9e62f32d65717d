// What the indexer has to know of what it wrote: how far it is, which blocks those were, which traces are unfinished.

import type { Row, Sql } from '../database.ts'
import { WHOLE } from '../read/blocks.ts'
import type { Read } from '../read/read.ts'
import { traceOf } from '../read/traces.ts'
import type { AccountKey, BlockKey, TraceRow } from '../rows.ts'
import { sql } from '../sql.ts'

export interface IndexedMaster {
  readonly seqno: number
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
  readonly utime: number
}

/** A masterchain block as it was indexed; null when it is not. */
export async function readMaster(from: Sql, seqno: number): Promise<IndexedMaster | null> {
  const [row] = await from.query<{ root_hash: Uint8Array; file_hash: Uint8Array; gen_utime: bigint }>(
    sql`select root_hash, file_hash, gen_utime from blocks
      where workchain = -1 and shard = ${WHOLE} and seqno = ${seqno}`,
  )
  if (row === undefined) return null
  return { seqno, rootHash: row.root_hash, fileHash: row.file_hash, utime: Number(row.gen_utime) }
}

/** The newest blocks of all shards at a masterchain block. */
export const readShardTops = (from: Sql, mcSeqno: number): Promise<readonly (BlockKey & Row)[]> =>
  from.query(sql`select workchain, shard, seqno from shard_tops where mc_seqno = ${mcSeqno}`)

/** An unfinished trace as it was written, and what it waits for. */
export interface UnfinishedTrace {
  readonly trace: TraceRow
  /** Hash of the external message it began with; null when it began otherwise. */
  readonly rootExternal: Uint8Array | null
  readonly pending: readonly Uint8Array[]
}

interface Unfinished extends Row {
  readonly root_external: Uint8Array | null
  readonly pending: readonly Uint8Array[]
}

/** Of traces, all that is written of them. */
const SELECT_UNFINISHED = sql`select traces.*, transactions.trace_external_hash as root_external,
    array(select msg_hash from pending_edges where pending_edges.trace_id = traces.trace_id) as pending
  from traces join transactions on transactions.hash = traces.trace_id`

const unfinishedOf = (row: Unfinished): UnfinishedTrace => ({
  trace: traceOf(row),
  rootExternal: row.root_external,
  pending: row.pending,
})

/** The unfinished traces that wait for one of these messages. */
export async function readTracesWaitingFor(
  from: Sql,
  messages: readonly Uint8Array[],
): Promise<readonly UnfinishedTrace[]> {
  const rows = await from.query<Unfinished>(sql`${SELECT_UNFINISHED}
    where traces.trace_id in (select trace_id from pending_edges where msg_hash = any(${messages}::bytea[]))`)
  return rows.map(unfinishedOf)
}

/** Some unfinished traces, those touched last first. */
export async function readUnfinishedTraces(from: Sql, count: number): Promise<readonly UnfinishedTrace[]> {
  const rows = await from.query<Unfinished>(sql`${SELECT_UNFINISHED}
    where traces.trace_id in (select trace_id from pending_edges)
    order by traces.mc_seqno_end desc limit ${count}`)
  return rows.map(unfinishedOf)
}

/** Complete traces nobody has looked at yet, the newest first. */
export const tracesToClassifyRead = (count: number): Read<TraceRow> => ({
  statement: sql`select * from traces
    where state = 'complete' and classification = 'unclassified' order by end_lt desc, trace_id desc limit ${count}`,
  toValue: traceOf,
})

/** Hashes of code that is known, at most so many. */
export async function readCodeHashes(from: Sql, count: number): Promise<readonly Uint8Array[]> {
  const rows = await from.query<{ hash: Uint8Array }>(sql`select hash from codes limit ${count}`)
  return rows.map(({ hash }) => hash)
}

/** Which of these code hashes are known. */
export async function readKnownCodes(from: Sql, hashes: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  const rows = await from.query<{ hash: Uint8Array }>(sql`select hash from codes where hash = any(${hashes}::bytea[])`)
  return rows.map(({ hash }) => hash)
}

export interface CodeInterfaces {
  readonly hash: Uint8Array
  readonly interfaces: readonly string[]
}

/** What is known of contracts with this code, as far as it was seen. */
export const readInterfaces = (from: Sql, hashes: readonly Uint8Array[]): Promise<readonly CodeInterfaces[]> =>
  from.query<{ hash: Uint8Array; interfaces: readonly string[] }>(
    sql`select hash, interfaces from codes where hash = any(${hashes}::bytea[])`,
  )

export interface AccountData {
  readonly account: AccountKey
  readonly dataHash: Uint8Array
  readonly data: Uint8Array
}

/** The data of these accounts, of those that have some. */
export async function readAccountData(from: Sql, accounts: readonly AccountKey[]): Promise<readonly AccountData[]> {
  const rows = await from.query<{ account: Uint8Array; data_hash: Uint8Array; data: Uint8Array }>(
    sql`select account, data_hash, data from accounts
      where account = any(${accounts}::bytea[]) and data_hash is not null and data is not null`,
  )
  return rows.map(({ account, data_hash, data }) => ({ account, dataHash: data_hash, data }))
}

/** Accounts that were touched above a masterchain block. */
export async function readAccountsAbove(from: Sql, mcSeqno: number): Promise<readonly AccountKey[]> {
  const rows = await from.query<{ account: Uint8Array }>(sql`select account from accounts where mc_seqno > ${mcSeqno}`)
  return rows.map(({ account }) => account)
}
