// Complete traces, by what they contain or when they ended.

import { inSlices, SlicedWork } from '../../fairness/index.ts'
import type { Sql, SqlText, StatementOptions } from '../database.ts'
import { sql } from '../sql.ts'
import { type TransactionRow, transactions } from '../tables/chain.ts'
import type { AccountKey } from '../tables/column.ts'
import { type TraceRow, traces } from '../tables/traces.ts'
import { readTransactionsByHash, toTransactionHash } from './byMessage.ts'
import { bytesKey } from './bytesKey.ts'
import { messagesByHash } from './messagesByHash.ts'
import { afterKey, byBytes, byNumber, orderBy, type RowOrder, type SortDirection } from './order.ts'
import { bounds, boundsOfPart, type PagedRead, type PageRequest } from './page.ts'
import { readAll, type StoreRead } from './read.ts'
import { equalsAnyHash, equalsHash, isAccount } from './shortKey.ts'
import { isTimed, type TimeAndLtBounds, withinBounds } from './timesOfLts.ts'
import { byLt, SELECT_TRANSACTIONS } from './transactions.ts'

/** The bounds are of their ends. */
export interface TraceFilter extends TimeAndLtBounds {
  /** With a transaction of this account. */
  readonly account?: AccountKey | undefined
  readonly traceIds?: readonly Uint8Array[] | undefined
  /** With one of these transactions. */
  readonly txHashes?: readonly Uint8Array[] | undefined
  /** With one of these messages, by either of their hashes. */
  readonly msgHashes?: readonly Uint8Array[] | undefined
  /** Ended in this masterchain block. */
  readonly mcSeqno?: number | undefined
}

const COLUMNS = traces.select('k')

const orderOf = (filter: TraceFilter, sort: SortDirection): RowOrder => [
  byNumber(isTimed(filter) ? 'end_utime' : 'end_lt', sort),
  byBytes('trace_id', sort),
]

/** Bounds of the ends of traces `k`. */
const ends = (filter: TraceFilter): SqlText[] => withinBounds({ seconds: sql`k.end_utime`, lt: sql`k.end_lt` }, filter)

/**
 * With one of the messages, by its hash or its normalized hash. As an array, so that traces are looked up by id whatever number
 * of them the planner expects; with `offset 0`, so that it looks up transactions one by one.
 */
const containing = (msgHashes: readonly Uint8Array[]): SqlText => sql`k.trace_id = any(array(
    with named as (
      ${messagesByHash(msgHashes, sql`m.hash, m.out_tx_hash`)}
    )
    select x.trace_id from named n cross join lateral (
      select t.trace_id from transactions t where t.in_msg_hash = n.hash offset 0) x
    union
    select x.trace_id from named n cross join lateral (
      select t.trace_id from transactions t where t.hash = n.out_tx_hash offset 0) x
  ))`

/** The filter as conditions on traces `k`, but for their ends. */
function conditions({ account, traceIds, txHashes, msgHashes, mcSeqno }: TraceFilter): SqlText[] {
  const parts = [sql`k.state = 'complete'`]
  if (mcSeqno !== undefined) parts.push(sql`k.mc_seqno_end = ${mcSeqno}`)
  if (traceIds !== undefined) parts.push(sql`k.trace_id = any(${traceIds})`)
  if (txHashes !== undefined)
    parts.push(sql`k.trace_id = any(array(select x.trace_id from transactions x where x.hash = any(${txHashes})))`)
  if (msgHashes !== undefined) parts.push(containing(msgHashes))
  if (account !== undefined)
    parts.push(sql`exists (select from trace_accounts a
      where ${isAccount(sql`a.account`, sql`${account}`)} and a.end_lt = k.end_lt and a.trace_id = k.trace_id)`)
  return parts
}

/** A page of complete traces: by their ends, then by their ids. */
export function tracesRead(filter: TraceFilter, request: PageRequest, sort: SortDirection): PagedRead<TraceRow> {
  const order = orderOf(filter, sort)
  const by = orderBy(order, sql`k`)
  const after = request.after === null ? [] : [afterKey(order, request.after, sql`k`)]
  const shape = { toValue: traces.decode, order, limit: request.limit }
  const { account, mcSeqno } = filter
  if (account !== undefined && mcSeqno === undefined) {
    // The index of an account has its traces in the order of the list: the page is cut there, then its traces are read.
    const where = sql.join([isAccount(sql`k.account`, sql`${account}`), ...ends(filter), ...after], ' and ')
    // In the order of the index alone, with all of the last time: where the planner expects few, it would sort all.
    const keys = sql`select k.* from trace_accounts k where ${where}
      ${orderBy(order.slice(0, 1), sql`k`)} ${boundsOfPart(request, 'with ties')}`
    const statement = sql`select ${COLUMNS} from (
        select k.trace_id from (${keys}) k ${by} ${bounds(request)}
      ) page cross join lateral (select * from traces t where t.trace_id = page.trace_id limit 1) k ${by}`
    return { statement: sql.steady(statement), ...shape }
  }
  // With a masterchain block: its traces are few, and are filtered by account, not the account's by block.
  const where = sql.join([...conditions(filter), ...ends(filter), ...after], ' and ')
  const statement = sql`select ${COLUMNS} from traces k where ${where} ${by} ${bounds(request)}`
  // Those that are named are looked up by their ids, all others are along one index: with bounds of both kinds it depends on the values.
  const isNamed = [filter.traceIds, filter.txHashes, filter.msgHashes].some((one) => one !== undefined)
  const isSteady = mcSeqno === undefined && (!isNamed || (ends(filter).length === 0 && after.length === 0))
  return { statement: isSteady ? sql.steady(statement) : statement, ...shape }
}

/** The first transactions of an account in each of some traces. */
export const transactionsOfAccountRead = (
  traceIds: readonly Uint8Array[],
  account: AccountKey,
  most: number,
): StoreRead<TransactionRow> => ({
  statement: sql`select ${transactions.select('t')} from unnest(${traceIds}::bytea[]) as wanted (trace_id)
    cross join lateral (
      select * from transactions x where ${equalsHash(sql`x.trace_id`, sql`wanted.trace_id`)} and x.account = ${account}
      order by x.lt limit ${most}
    ) t ${orderBy(byLt('asc'), sql`t`)}`,
  toValue: transactions.decode,
})

/** Hashes of all transactions of some traces, in the order they happened. */
const hashesOfTracesRead = (traceIds: readonly Uint8Array[]): StoreRead<Uint8Array> => ({
  statement: sql`select t.hash from transactions t where ${equalsAnyHash(sql`t.trace_id`, traceIds)} ${orderBy(byLt('asc'), sql`t`)}`,
  toValue: toTransactionHash,
})

/** All transactions of some traces, in the order they happened. */
export const transactionsOfTracesRead = (traceIds: readonly Uint8Array[]): StoreRead<TransactionRow> => ({
  statement: sql`${SELECT_TRANSACTIONS} where ${equalsAnyHash(sql`t.trace_id`, traceIds)} ${orderBy(byLt('asc'), sql`t`)}`,
  toValue: transactions.decode,
})

/** Rows of one statement: with more it takes as long as a statement may, and holds up an embedded database. */
const MOST_AT_ONCE = 2000

/** The same of traces of any size, in short statements. */
export async function readTransactionsOfTraces(
  from: Sql,
  of: readonly Pick<TraceRow, 'traceId' | 'nodes'>[],
  options?: StatementOptions,
): Promise<TransactionRow[]> {
  const ids = of.map(({ traceId }) => traceId)
  if (of.reduce((sum, { nodes }) => sum + nodes, 0) <= MOST_AT_ONCE)
    return readAll(from, transactionsOfTracesRead(ids), options)
  const hashes = await readAll(from, hashesOfTracesRead(ids), options)
  const rows = await readTransactionsByHash(from, hashes, options)
  const slices = new SlicedWork({ signal: options?.signal })
  const found = new Map(await inSlices(rows, (row) => [bytesKey(row.hash), row] as const, slices))
  const ordered = await inSlices(hashes, (hash) => found.get(bytesKey(hash)), slices)
  return ordered.filter((row) => row !== undefined)
}
