// The balance of an account over time.

import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { method } from '../method.ts'
import { cursorPage, Sort } from '../page.ts'
import { AccountFilter, timeBounds } from './filters.ts'
import { nextField } from './sideObjects.ts'
import { Base64Hash, Digits, readsV3 } from './values.ts'

const MOST_SECONDS = 366 * 86_400

const BalancePoint = z
  .object({
    utime: z.int().describe('Unix seconds of the transaction.'),
    lt: Digits.describe('Logical time of the transaction.'),
    tx_hash: Base64Hash.describe('Transaction after which the account had this balance.'),
    mc_seqno: z.int().describe('Masterchain block that committed it.'),
    balance: Digits.nullable().describe('Balance in nanotons; null when the state is not stored.'),
  })
  .meta({ id: 'BalancePoint' })

export const balanceHistoryV3 = {
  'v3.balanceHistory': method({
    summary: 'Balance of an account after each of its transactions, or at the end of each interval of time.',
    description:
      'For charts: with `interval` the cost depends on the number of points, not of transactions. Intervals without a transaction have no point: the balance is that of the point before. What dev.setAccount changes appears with the next transaction.',
    group: 'accounts',
    params: z.strictObject({
      account: AccountFilter.describe('Account whose balance to list.'),
      interval: z
        .int()
        .min(1)
        .max(MOST_SECONDS)
        .optional()
        .describe('Seconds: only the last transaction in each such interval, counted from the epoch.'),
      start_utime: timeBounds.start_utime,
      end_utime: timeBounds.end_utime,
      ...cursorPage(),
      sort: Sort,
    }),
    result: z
      .object({ history: z.array(BalancePoint).describe('Points in the order of `sort`.'), ...nextField })
      .meta({ id: 'BalanceHistoryResponse' }),
    rest: readsV3('balanceHistory'),
    freshness: 'index',
    paged: true,
    example: {
      params: { account: exampleValues.OWNER, interval: 86_400 },
      result: {
        history: [
          {
            utime: 1754158183,
            lt: '60056271000001',
            tx_hash: exampleValues.TRACE,
            mc_seqno: 50503953,
            balance: '71502022797',
          },
        ],
        cursor: null,
      },
    },
  }),
}
