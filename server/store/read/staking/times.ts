// What lists of staking have in common: bounds in time, and the time of the first indexed block.

import type { SqlText } from '../../database.ts'
import { sql } from '../../sql.ts'
import { stakingStart } from '../../tables/staking.ts'
import { byBytes, byNumber, type RowOrder } from '../order.ts'
import { inRange } from '../range.ts'
import type { StoreRead } from '../read.ts'

/** Unix seconds, included. */
export interface TimeWindow {
  readonly start?: number | undefined
  readonly end?: number | undefined
}

export const withinWindow = (column: string, { start, end }: TimeWindow): SqlText[] =>
  inRange(sql`t.${sql.identifier(column)}`, start, end)

export const NEWEST: RowOrder = [byNumber('utime', 'desc'), byNumber('tx_lt', 'desc'), byBytes('tx_hash', 'desc')]

/** Unix seconds of the first block that was read for staking. */
export const stakingSinceRead = (): StoreRead<number> => ({
  statement: sql`select ${stakingStart.select('t')} from staking_start t`,
  toValue: (row) => stakingStart.decode(row).utime,
})
