// Bounds in logical time as bounds in seconds, for lists that are ordered by seconds: their index is then entered at the bound, where
// it was walked from the end of the list. Blocks know both, and in a shard both only grow.

import type { Sql, SqlText, StatementOptions } from '../database.ts'
import { sql } from '../sql.ts'
import { int8, nullable } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { MOST_FEW } from './fewFirst.ts'
import { inRange, LATEST_TIME } from './range.ts'

/** The shard of the masterchain, and of a workchain that is not split. */
export const WHOLE_SHARD_PREFIX = -(2n ** 63n)

/** All of them included. */
export interface TimeAndLtBounds {
  readonly startUtime?: number | undefined
  readonly endUtime?: number | undefined
  readonly startLt?: bigint | undefined
  readonly endLt?: bigint | undefined
}

/** Lists with a bound in seconds are ordered by seconds. */
export const isTimed = ({ startUtime, endUtime }: TimeAndLtBounds): boolean =>
  startUtime !== undefined || endUtime !== undefined

const isLtBound = ({ startLt, endLt }: TimeAndLtBounds): boolean => startLt !== undefined || endLt !== undefined

/**
 * The bounds as conditions on two columns. In a list by seconds those on logical time are for the planner each one of two: it takes
 * both pairs for independent, would expect few rows to fit all four, and sort them.
 */
export function withinBounds(
  columns: { readonly seconds: SqlText; readonly lt: SqlText },
  bounds: TimeAndLtBounds,
): SqlText[] {
  const { seconds, lt } = columns
  const { startUtime, endUtime, startLt, endLt } = bounds
  const ofLt = (condition: SqlText) => (isTimed(bounds) ? sql`coalesce(${condition}, false)` : condition)
  return [...inRange(seconds, startUtime, endUtime), ...inRange(lt, startLt, endLt).map(ofLt)]
}

/** All shards, present and past, by skipping from one to the next in the index. */
const SHARDS = sql`with recursive shards as (
    (select b.workchain, b.shard from blocks b order by b.workchain, b.shard limit 1)
    union all
    select n.workchain, n.shard from shards s cross join lateral (
      select b.workchain, b.shard from blocks b where (b.workchain, b.shard) > (s.workchain, s.shard)
      order by b.workchain, b.shard limit 1
    ) n
  )`

/** The last block of a shard that begins before a logical time, or at it. */
const lastBefore = (lt: bigint): SqlText => sql`(select b.gen_utime, b.end_lt from blocks b
    where b.workchain = s.workchain and b.shard = s.shard and b.start_lt <= ${lt} order by b.start_lt desc limit 1)`

const firstBehind = (lt: bigint): SqlText => sql`(select b.gen_utime from blocks b
    where b.workchain = s.workchain and b.shard = s.shard and b.start_lt > ${lt} order by b.start_lt limit 1)`

/** When the first block of all shards was made that reaches a logical time; null when none does. */
export const timeFromLt = (
  lt: bigint,
): SqlText => sql`(${SHARDS} select min(n.gen_utime) from shards s cross join lateral (
    select l.gen_utime from ${lastBefore(lt)} l where l.end_lt >= ${lt} union all ${firstBehind(lt)}
  ) n)`

/** When the last block was made that begins before a logical time, or at it; null when none does. */
export const timeToLt = (lt: bigint): SqlText =>
  sql`(${SHARDS} select max(n.gen_utime) from shards s cross join lateral ${lastBefore(lt)} n)`

/** Before the index begins there may be messages that it has seen arrive: of those no block says when they were made. */
const timeWithin = (
  lt: bigint,
  time: SqlText,
  otherwise: SqlText,
): SqlText => sql`case when (select b.seqno from blocks b
    where b.workchain = -1 and b.shard = ${WHOLE_SHARD_PREFIX} and b.start_lt <= ${lt} order by b.start_lt limit 1) is not null
  then ${time} else ${otherwise} end`

/**
 * When the newest row of any list up to a logical time was made, where there are few; traces and actions end with transactions. Such rows
 * may be newer than the first masterchain block, although their logical times are before that.
 */
function timeToOlder(lt: bigint): SqlText {
  const part = (rows: SqlText, by: SqlText) => sql`(${rows} and ${by} <= ${lt} order by ${by} limit ${MOST_FEW + 1})`
  const ofTransactions = (mark: SqlText) => part(sql`select t.now as time from transactions t where ${mark}`, sql`t.lt`)
  const parts = [
    ofTransactions(sql`not t.is_system`),
    ofTransactions(sql`t.is_system`),
    part(sql`select m.created_at from messages m where true`, sql`m.created_lt`),
    part(sql`select b.gen_utime from blocks b where true`, sql`b.start_lt`),
    part(sql`select e.tx_now from jetton_transfers e where not e.aborted`, sql`e.tx_lt`),
    part(sql`select e.tx_now from jetton_burns e where true`, sql`e.tx_lt`),
    part(sql`select e.tx_now from nft_transfers e where true`, sql`e.tx_lt`),
  ]
  return sql`(select case when count(*) <= ${MOST_FEW} then coalesce(max(p.time), 0) else ${LATEST_TIME}::int8 end
    from (${sql.join(parts, ' union all ')}) p)`
}

const decodeTimes = decoderOf({ first: nullable(int8), last: nullable(int8) })

/**
 * Adds to the filter of a list by seconds what follows in seconds from its bounds in logical time: the list has the same rows. Other
 * filters stay as they are.
 */
export async function withTimesOfLts<F extends TimeAndLtBounds>(
  from: Sql,
  filter: F,
  options?: StatementOptions,
): Promise<F> {
  const { startUtime, endUtime, startLt, endLt } = filter
  if (!isTimed(filter) || !isLtBound(filter)) return filter
  const first = startLt === undefined ? sql`0` : timeWithin(startLt, timeFromLt(startLt), sql`0::int8`)
  const last = endLt === undefined ? sql`0` : timeWithin(endLt, timeToLt(endLt), timeToOlder(endLt))
  const [row] = await from.query(sql.steady(sql`select (${first})::int8 as first, (${last})::int8 as last`), options)
  if (row === undefined) return filter
  const times = decodeTimes(row)
  return {
    ...filter,
    ...(startLt === undefined ? {} : { startUtime: Math.max(startUtime ?? 0, Number(times.first ?? LATEST_TIME)) }),
    ...(endLt === undefined ? {} : { endUtime: Math.min(endUtime ?? LATEST_TIME, Number(times.last ?? 0)) }),
  }
}
