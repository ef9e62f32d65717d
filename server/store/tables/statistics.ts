// Transactions and fees, counted by minute, hour and day as blocks are written.

import { int4, int8, numeric, uint32 } from './column.ts'
import { type RowFrom, table } from './table.ts'

export const statistics = table('statistics', {
  /** Seconds. */
  span: int4,
  /** Unix seconds, a multiple of the span. */
  start: uint32,
  transactions: int8,
  systemTransactions: int8,
  fees: numeric,
})

export type StatisticsRow = RowFrom<typeof statistics>

/** Seconds of the intervals that are counted. */
export const COUNTED_SPANS = [60, 3600, 86_400] as const
