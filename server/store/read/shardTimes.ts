// Transactions of a shard between two seconds. Its index has their logical times, and of those the blocks say where the seconds begin and
// end: along the index of seconds, all transactions of other shards would be passed that are newer than the last of an old shard.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
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
    parts.push(
      sql`t.lt <= coalesce(${block('start_lt', sql`b.gen_utime > ${endUtime}`, 'asc')}, ${2n ** 63n - 1n}::int8)`,
    )
  return parts
}
