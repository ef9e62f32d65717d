// Transactions and fees by interval of time.

import { sql } from '../sql.ts'
import { type StatisticsRow, statistics } from '../tables/statistics.ts'
import { afterKey, byNumber, orderBy, type SortDirection } from './order.ts'
import { bounds, type PagedRead, type PageRequest } from './page.ts'
import { inRange } from './range.ts'

export interface StatisticsFilter {
  /** Seconds of the intervals: one of those that are counted. */
  readonly span: number
  /** Intervals that begin between these, both included. */
  readonly startUtime?: number | undefined
  readonly endUtime?: number | undefined
}

const COLUMNS = statistics.select('s')

export function statisticsRead(
  { span, startUtime, endUtime }: StatisticsFilter,
  request: PageRequest,
  sort: SortDirection,
): PagedRead<StatisticsRow> {
  const order = [byNumber('start', sort)]
  const parts = [sql`s.span = ${span}`, ...inRange(sql`s.start`, startUtime, endUtime)]
  if (request.after !== null) parts.push(afterKey(order, request.after, sql`s`))
  return {
    statement: sql`select ${COLUMNS} from statistics s where ${sql.join(parts, ' and ')}
      ${orderBy(order, sql`s`)} ${bounds(request)}`,
    toValue: statistics.decode,
    order,
    limit: request.limit,
  }
}
