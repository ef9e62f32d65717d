// What the indexer reads of its own index: the head, the blocks, the unfinished traces, the accounts and their code.

import type { MasterId, Sql, SqlRow, SqlText } from '../database.ts'
import { inRounds, readAll, type StoreRead } from '../read/read.ts'
import { isAlong, shortKey } from '../read/shortKey.ts'
import { WHOLE_SHARD_PREFIX } from '../read/timesOfLts.ts'
import { sql } from '../sql.ts'
import { type AccountRow, accounts, codes } from '../tables/accounts.ts'
import { type BlockKey, blocks, shardTops, transactions } from '../tables/chain.ts'
import { type AccountKey, account, bool, bytea, byteaList, int4 } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { type TraceRow, traces } from '../tables/traces.ts'

export interface IndexedMaster extends MasterId {
  readonly fileHash: Uint8Array
  readonly utime: number
}

const { rootHash, fileHash, genUtime } = blocks.fields
const decodeMaster = decoderOf({ rootHash, fileHash, genUtime })

/** A masterchain block as it was indexed; null when it is not. */
export async function readMaster(from: Sql, seqno: number): Promise<IndexedMaster | null> {
  const rows = await from.query(
    sql`select root_hash, file_hash, gen_utime from blocks
      where workchain = -1 and shard = ${WHOLE_SHARD_PREFIX} and seqno = ${seqno}`,
  )
  const [block] = rows.map(decodeMaster)
  if (block === undefined) return null
  const { genUtime, ...hashes } = block
  return { seqno, utime: genUtime, ...hashes }
}

const { workchain, shard, seqno } = shardTops.fields
const decodeBlockKey = decoderOf({ workchain, shard, seqno })

/** The newest blocks of all shards at a masterchain block. */
export const readShardTops = (from: Sql, mcSeqno: number): Promise<readonly BlockKey[]> =>
  readAll(from, {
    statement: sql`select workchain, shard, seqno from shard_tops where mc_seqno = ${mcSeqno}`,
    toValue: decodeBlockKey,
  })

/** An unfinished trace as it was written, and the messages it waits for. */
export interface UnfinishedTrace {
  readonly trace: TraceRow
  /** Hash of the external message it began with; null when it began otherwise. */
  readonly rootExternal: Uint8Array | null
  readonly pending: readonly Uint8Array[]
}

const SELECT_UNFINISHED = sql`select ${traces.select('traces')}, transactions.trace_external_hash as root_external,
    array(select msg_hash from pending_edges where pending_edges.trace_id = traces.trace_id) as pending
  from traces join transactions on transactions.hash = traces.trace_id`

const decodeEdges = decoderOf({ rootExternal: transactions.fields.traceExternalHash, pending: byteaList })

const decodeUnfinished = (row: SqlRow): UnfinishedTrace => ({ trace: traces.decode(row), ...decodeEdges(row) })

/** The unfinished traces that wait for one of these messages. */
export const readTracesWaitingFor = (from: Sql, messages: readonly Uint8Array[]): Promise<readonly UnfinishedTrace[]> =>
  readAll(from, {
    statement: sql`${SELECT_UNFINISHED}
    where traces.trace_id in (select trace_id from pending_edges where msg_hash = any(${messages}::bytea[]))`,
    toValue: decodeUnfinished,
  })

/** Some unfinished traces, those touched last first. */
export const readUnfinishedTraces = (from: Sql, count: number): Promise<readonly UnfinishedTrace[]> =>
  readAll(from, {
    statement: sql`${SELECT_UNFINISHED}
    where traces.trace_id in (select trace_id from pending_edges)
    order by traces.mc_seqno_end desc limit ${count}`,
    toValue: decodeUnfinished,
  })

/** Complete traces that are not classified yet, the newest first. */
export const tracesToClassifyRead = (count: number): StoreRead<TraceRow> => ({
  statement: sql`select ${traces.select('k')} from traces k
    where k.state = 'complete' and k.classification = 'unclassified' order by k.end_lt desc, k.trace_id desc limit ${count}`,
  toValue: traces.decode,
})

const { hash, interfaces } = codes.fields
const decodeHash = decoderOf({ hash })

/** Hashes of code that is indexed, at most so many. */
export async function readIndexedCodes(from: Sql, count: number): Promise<readonly Uint8Array[]> {
  const rows = await from.query(sql`select hash from codes limit ${count}`)
  return rows.map((row) => decodeHash(row).hash)
}

/** Those of these code hashes whose code is indexed. */
export const readKnownCodes = (from: Sql, hashes: readonly Uint8Array[]): Promise<readonly Uint8Array[]> =>
  inRounds(hashes, (some) =>
    readAll(from, {
      statement: sql`select hash from codes where hash = any(${some}::bytea[])`,
      toValue: (row) => decodeHash(row).hash,
    }),
  )

const decodeInterfaces = decoderOf({ hash, interfaces })

export type CodeInterfaces = ReturnType<typeof decodeInterfaces>

/** The interfaces of contracts with this code; code that is not indexed is left out. */
export const readInterfaces = (from: Sql, hashes: readonly Uint8Array[]): Promise<readonly CodeInterfaces[]> =>
  inRounds(hashes, (some) =>
    readAll(from, {
      statement: sql`select hash, interfaces from codes where hash = any(${some}::bytea[])`,
      toValue: decodeInterfaces,
    }),
  )

const decodeData = decoderOf({ account, dataHash: bytea, data: bytea })

export type AccountData = ReturnType<typeof decodeData>

/** The data of these accounts; accounts without data are left out. */
export const readAccountData = (from: Sql, accounts: readonly AccountKey[]): Promise<readonly AccountData[]> =>
  inRounds(accounts, (some) =>
    readAll(from, {
      statement: sql`select account, data_hash, data from accounts
      where account = any(${some}::bytea[]) and data_hash is not null and data is not null`,
      toValue: decodeData,
    }),
  )

const decodeLacks = decoderOf({ lacksCode: bool })

export interface LackingAccountRead {
  readonly row: AccountRow
  readonly lacksCode: boolean
}

/** Accounts that were indexed without their data or code, with keys from `from` up to `to`. */
export const readAccountsLacking = (
  reader: Sql,
  { from, to }: { readonly from: AccountKey; readonly to: AccountKey },
): Promise<readonly LackingAccountRead[]> =>
  readAll(reader, {
    statement: sql`select ${accounts.select('accounts')}, found.lacks_code
      from accounts, lateral (
        select code_hash is not null and not exists (select from codes where hash = code_hash) as lacks_code
      ) as found
      where account >= ${from} and account <= ${to} and (found.lacks_code or (data_hash is not null and data is null))`,
    toValue: (row) => ({ row: accounts.decode(row), ...decodeLacks(row) }),
  })

const decodeWithoutState = decoderOf({ account, mcSeqno: transactions.fields.mcSeqno })

export type AccountWithoutState = ReturnType<typeof decodeWithoutState>

/**
 * Accounts whose newest state is not indexed, with short keys from `from` up to `to`. It steps over the index of
 * transactions from one account to the next: the others of each account are not read.
 */
export const readAccountsWithoutState = (
  reader: Sql,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<readonly AccountWithoutState[]> => {
  const key = shortKey(sql`account`)
  const newest = (condition: SqlText): SqlText => sql`(select ${key} as key, account, mc_seqno, state_after, end_status
    from transactions where ${condition} and ${key} >= ${from} order by ${key} desc, lt desc limit 1)`
  return readAll(reader, {
    statement: sql`with recursive newest as (
        ${newest(sql`${key} <= ${to}`)}
        union all
        select before.* from newest, lateral ${newest(sql`${key} < newest.key`)} before
      )
      select account, mc_seqno from newest
      where end_status <> 'nonexist' and not exists (select from account_states where hash = state_after)`,
    toValue: decodeWithoutState,
  })
}

const decodeAccount = decoderOf({ account })

/** It reads the whole table: an index would cost each write of an account, and blocks are seldom undone. */
const WHOLE_TABLE_MS = 3_600_000

/** Accounts that were touched above a masterchain block. */
export async function readAccountsAbove(from: Sql, mcSeqno: number): Promise<readonly AccountKey[]> {
  const statement = sql`select account from accounts where mc_seqno > ${mcSeqno}`
  const rows = await from.query(statement, { timeoutMs: WHOLE_TABLE_MS })
  return rows.map((row) => decodeAccount(row).account)
}

const { mcSeqno, stateAfter } = transactions.fields
const decodeLast = decoderOf({ place: int4, mcSeqno, stateAfter })

/** The masterchain block of a transaction, and the hash of the state that it left. */
export type LastTransactionRead = Omit<ReturnType<typeof decodeLast>, 'place'>

/** The last transaction of each account; none where it is not indexed. */
export async function readLastTransactions(
  from: Sql,
  rows: readonly Pick<AccountRow, 'account' | 'lastTxLt'>[],
): Promise<readonly (LastTransactionRead | undefined)[]> {
  const found = await readAll(from, {
    statement: sql`select own.place::int4 as place, t.mc_seqno, t.state_after
      from unnest(${rows.map(({ account }) => account)}::bytea[], ${rows.map(({ lastTxLt }) => lastTxLt)}::int8[])
          with ordinality as own (account, lt, place)
        cross join lateral (select one.mc_seqno, one.state_after from transactions one
          where ${isAlong(sql`one.account`, sql`own.account`)} and one.lt = own.lt limit 1) t`,
    toValue: decodeLast,
  })
  const last = new Map(found.map(({ place, ...one }) => [place, one]))
  return rows.map((_, i) => last.get(i + 1))
}
