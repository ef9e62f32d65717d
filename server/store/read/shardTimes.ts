// Transactions of a shard between two seconds. Its index has their logical times, and of those the blocks say where the seconds begin and
// end: along the index of seconds, all transactions of other shards would be passed that are newer than the last of an old shard.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import type { AccountKey } from '../tables/column.ts'
import { possibleShards } from './possibleAccounts.ts'
import { LATEST_LT } from './range.ts'
import type { TimeAndLtBounds } from './timesOfLts.ts'

/** Wider than the seconds where blocks were removed of which some transactions are left. */
export function ltsOfTimes(workchain: SqlText, shard: bigint, { startUtime, endUtime }: TimeAndLtBounds): SqlText[] {
  const block = (column: 'start_lt' | 'end_lt', where: SqlText, sort: 'asc' | 'desc'): SqlText => {
    const by = sql.identifier(column)
    const direction = sql.identifier(sort)
    return sql`(select b.${by} from blocks b where b.workchain = ${workchain} and b.shard = ${shard} and ${where}
      order by b.gen_utime ${direction}, b.mc_seqno ${direction}, b.seqno ${direction} limit 1)`
  }
  const parts: SqlText[] = []
  if (startUtime !== undefined)
    parts.push(sql`t.lt >= coalesce(${block('end_lt', sql`b.gen_utime < ${startUtime}`, 'desc')}, 0)`)
  if (endUtime !== undefined)
    parts.push(sql`t.lt <= coalesce(${block('start_lt', sql`b.gen_utime > ${endUtime}`, 'asc')}, ${LATEST_LT}::int8)`)
  return parts
}

/** Of one account's transactions, which are found in its index, the planner is not to read those of all accounts in the block. */
export const isInBlock = (mcSeqno: number, isOfOne: boolean): SqlText =>
  isOfOne ? sql`coalesce(t.mc_seqno = ${mcSeqno}, false)` : sql`t.mc_seqno = ${mcSeqno}`

interface BlockNumbers {
  readonly mcSeqno?: number | undefined
  readonly seqno?: number | undefined
}

/**
 * Between which logical times the transactions of an account in blocks with a number are: it may have any number of others, in front of
 * them in its index. None where there is neither such a block nor a transaction that is left of one.
 */
export function ltsOfBlocks({ mcSeqno, seqno }: BlockNumbers, accounts: readonly AccountKey[]): SqlText[] {
  const [first, ...others] = accounts
  const [name, number] = mcSeqno === undefined ? ['seqno', seqno] : ['mc_seqno', mcSeqno]
  if (number === undefined || first === undefined || others.length > 0) return []
  const column = (of: string) => sql`${sql.identifier(of)}.${sql.identifier(name)}`
  const chain = sql`${(first[0] ?? 0) - 128}::int4`
  const shards = sql`${possibleShards(first)}::int8[]`
  // Other shards have blocks with that number at other times, also where its own was removed. `coalesce` keeps the planner from an
  // index of the shard.
  const isOwn = (of: string) => {
    const row = sql.identifier(of)
    return sql`coalesce(${row}.workchain = ${chain} and ${row}.shard = any(${shards}), false)`
  }
  // With `offset 0`: for the least of all the planner would walk along the logical times of other blocks.
  const blocks = sql`(select b.start_lt, b.end_lt from blocks b where ${column('b')} = ${number} and ${isOwn('b')} offset 0) b`
  const left = sql`(select x.lt from transactions x where ${column('x')} >= ${number} and ${column('x')} <= ${number}
    and ${isOwn('x')} order by ${column('x')} limit 1)`
  return [
    sql`t.lt >= coalesce((select min(b.start_lt) from ${blocks}), case when ${left} is null then ${LATEST_LT}::int8 else 0 end)`,
    sql`t.lt <= coalesce((select max(b.end_lt) from ${blocks}), ${LATEST_LT}::int8)`,
  ]
}
