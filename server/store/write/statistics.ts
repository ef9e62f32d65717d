// Keeps the counts by interval: a read of them costs the same however many transactions there are.

import type { Sql } from '../database.ts'
import { sql } from '../sql.ts'
import type { WrittenTransaction } from '../tables/chain.ts'
import { COUNTED_SPANS, type StatisticsRow, statistics } from '../tables/statistics.ts'
import type { Insertable } from '../tables/table.ts'
import { insertRows } from './bulk.ts'

type Counted = { -readonly [K in keyof StatisticsRow]: StatisticsRow[K] }

const added: Insertable<StatisticsRow> = {
  name: statistics.name,
  written: statistics.written,
  onConflict: sql`on conflict (span, start) do update set
    transactions = statistics.transactions + excluded.transactions,
    system_transactions = statistics.system_transactions + excluded.system_transactions,
    fees = statistics.fees + excluded.fees`,
}

const NOTHING = { transactions: 0n, systemTransactions: 0n, fees: 0n } as const

/** One row for each span and interval that has any of the transactions. */
function countsOf(transactions: readonly WrittenTransaction[]): StatisticsRow[] {
  // All transactions of a block have its time: there are few to sort into intervals.
  const bySecond = new Map<number, Omit<Counted, 'span' | 'start'>>()
  for (const { now, totalFees, isSystem } of transactions) {
    const count = bySecond.get(now) ?? { ...NOTHING }
    bySecond.set(now, count)
    count.transactions++
    if (isSystem) count.systemTransactions++
    count.fees += totalFees
  }
  const counts = new Map<string, Counted>()
  for (const span of COUNTED_SPANS)
    for (const [now, { transactions, systemTransactions, fees }] of bySecond) {
      const start = now - (now % span)
      const key = `${span} ${start}`
      const count = counts.get(key) ?? { span, start, ...NOTHING }
      counts.set(key, count)
      count.transactions += transactions
      count.systemTransactions += systemTransactions
      count.fees += fees
    }
  return [...counts.values()]
}

export const countTransactions = (to: Sql, transactions: readonly WrittenTransaction[]): Promise<void> =>
  insertRows(to, added, countsOf(transactions))

/** Subtracts the transactions above a masterchain block; must run before they are deleted. */
export async function uncountTransactions(on: Sql, mcSeqno: number): Promise<void> {
  const changed = await on.query<{ span: number; start: bigint; transactions: bigint }>(sql`update statistics set
      transactions = statistics.transactions - gone.transactions,
      system_transactions = statistics.system_transactions - gone.system_transactions,
      fees = statistics.fees - gone.fees
    from (select spans.span, t.now - t.now % spans.span as start, count(*) as transactions,
        count(*) filter (where t.is_system) as system_transactions, sum(t.total_fees) as fees
      from transactions t cross join unnest(${[...COUNTED_SPANS]}::int4[]) as spans (span)
      where t.mc_seqno > ${mcSeqno} group by 1, 2) gone
    where statistics.span = gone.span and statistics.start = gone.start
    returning statistics.span, statistics.start, statistics.transactions`)
  const empty = changed.filter(({ transactions }) => transactions === 0n)
  if (empty.length === 0) return
  const spans = empty.map(({ span }) => span)
  const starts = empty.map(({ start }) => start)
  await on.query(sql`delete from statistics
    where (span, start) in (select * from unnest(${spans}::int4[], ${starts}::int8[]))`)
}
