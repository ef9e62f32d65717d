// Counts over time, kept by the index as it grows.

import { z } from 'zod'
import { method } from '../method.ts'
import { cursorPage, Sort } from '../page.ts'
import { timeBounds } from './filters.ts'
import { nextField } from './sideObjects.ts'
import { Digits, readsV3 } from './values.ts'

/** Seconds of each interval that is counted. */
export const SPANS = { minute: 60, hour: 3600, day: 86_400 } as const

const Interval = z
  .object({
    utime: z.int().describe('Begin of the interval, unix seconds.'),
    transactions: z.int().describe('All transactions in it.'),
    system_transactions: z.int().describe('Those of them that the chain makes itself.'),
    fees: Digits.describe('Fees collected by all of them, nanotons.'),
  })
  .meta({ id: 'StatisticsInterval' })

export const statisticsV3 = {
  'v3.statistics': method({
    summary: 'Transactions and fees of the whole chain by minute, hour or day.',
    description:
      'Counted as blocks are indexed: a call reads one row for each interval, on a chain of any size. Intervals without a transaction are left out. The first interval counts from the first indexed block.',
    group: 'blocks',
    params: z.strictObject({
      interval: z.enum(['minute', 'hour', 'day']).default('hour').describe('Length of the intervals.'),
      start_utime: timeBounds.start_utime,
      end_utime: timeBounds.end_utime,
      ...cursorPage({ byDefault: 100 }),
      sort: Sort,
    }),
    result: z
      .object({ intervals: z.array(Interval).describe('Intervals in the order of `sort`.'), ...nextField })
      .meta({ id: 'StatisticsResponse' }),
    rest: readsV3('statistics'),
    freshness: 'index',
    paged: true,
    example: {
      params: { interval: 'hour', limit: 1 },
      result: {
        intervals: [{ utime: 1795165200, transactions: 412, system_transactions: 240, fees: '1843021554' }],
        cursor: null,
      },
    },
  }),
}
