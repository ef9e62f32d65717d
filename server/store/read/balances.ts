// The balance of an account after its transactions, or after the last one in each interval of time.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { accountStates } from '../tables/accounts.ts'
import { transactions } from '../tables/chain.ts'
import { type AccountKey, nullable } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { afterKey, byNumber, checkKey, orderBy, type RowOrder, type SortDirection } from './order.ts'
import { bounds, boundsOfPart, type PagedRead, type PageRequest } from './page.ts'
import { inRange, LATEST_LT, LATEST_TIME } from './range.ts'
import { isAccount, isAlong, shortKey } from './shortKey.ts'

export interface BalanceFilter {
  readonly account: AccountKey
  /** Seconds. */
  readonly interval?: number | undefined
  /** Bounds included. */
  readonly startUtime?: number | undefined
  readonly endUtime?: number | undefined
}

const { hash, lt, now, mcSeqno } = transactions.fields
const decodeBalance = decoderOf({ hash, lt, now, mcSeqno, balance: nullable(accountStates.fields.balance) })

export type BalanceFound = ReturnType<typeof decodeBalance>

const COLUMNS = sql`t.hash, t.lt, t.now, t.mc_seqno, t.state_after`
const BALANCE = sql`(select s.balance from account_states s where s.hash = t.state_after) as balance`

/** Times of an account never decrease from one transaction to the next. */
const byTime = (sort: SortDirection): RowOrder => [byNumber('now', sort), byNumber('lt', sort)]

const within = (
  { account, startUtime, endUtime }: BalanceFilter,
  is: typeof isAccount,
  more: readonly SqlText[],
): SqlText => {
  const parts = [is(sql`t.account`, sql`${account}`), ...more, ...inRange(sql`t.now`, startUtime, endUtime)]
  return sql`where ${sql.join(parts, ' and ')}`
}

/**
 * The last transaction before a time. Walked by logical time from one that is not: by seconds, all would be sorted that the account has
 * in the last one.
 */
function lastBefore({ account, startUtime = 0 }: BalanceFilter, time: SqlText): SqlText {
  const own = (alias: SqlText) => isAlong(sql`${alias}.account`, sql`${account}`)
  const key = (alias: SqlText) => shortKey(sql`${alias}.account`)
  const later = sql`(select x.lt from transactions x where ${own(sql`x`)} and x.now >= ${time}
    order by ${key(sql`x`)}, x.now limit 1)`
  const last = sql`select ${COLUMNS} from transactions t
    where ${own(sql`t`)} and t.lt < coalesce(${later}, ${LATEST_LT}::int8) and coalesce(t.now < ${time}, false)
    order by ${key(sql`t`)} desc, t.lt desc limit 1`
  return sql`select l.* from (${last}) l where l.now >= ${startUtime}::int8`
}

/** The last transaction of the next interval that has any, from one time on. Each step is a few lookups in indexes. */
function nextPoint(filter: BalanceFilter, interval: SqlText, from: SqlText | null, sort: SortDirection): SqlText {
  const end = sql`${(filter.endUtime ?? LATEST_TIME) + 1}::int8`
  if (sort === 'desc') return lastBefore(filter, from === null ? end : sql`least(${end}, ${from})`)
  const more = from === null ? [] : [sql`t.now >= ${from}`]
  const first = sql`select t.now from transactions t ${within(filter, isAlong, more)}
    order by ${shortKey(sql`t.account`)}, t.now limit 1`
  const last = lastBefore(filter, sql`least(${end}, f.now - f.now % ${interval} + ${interval})`)
  return sql`select l.* from (${first}) f cross join lateral (${last}) l`
}

/** Where the interval of a time ends, in the direction of the list. */
const edgeOfInterval = (time: SqlText, interval: SqlText, sort: SortDirection): SqlText =>
  sort === 'desc' ? sql`${time} - ${time} % ${interval}` : sql`${time} - ${time} % ${interval} + ${interval}`

function byInterval(filter: BalanceFilter, seconds: number, request: PageRequest, sort: SortDirection): SqlText {
  const interval = sql`${seconds}::int8`
  const order = byTime(sort)
  if (request.after !== null) checkKey(order, request.after)
  const [time = null] = request.after ?? []
  const begin = time === null ? null : edgeOfInterval(sql`${time}::int8`, interval, sort)
  const step = nextPoint(filter, interval, edgeOfInterval(sql`p.now`, interval, sort), sort)
  return sql`with recursive points as (
      select 1 as place, b.* from (${nextPoint(filter, interval, begin, sort)}) b
      union all
      select p.place + 1, n.* from points p cross join lateral (${step}) n
        where p.place <= ${request.limit + request.offset}::int8
    ) select t.*, ${BALANCE} from points t ${orderBy(order, sql`t`)} ${bounds(request)}`
}

/** A page of points. */
export function balancesRead(
  filter: BalanceFilter,
  request: PageRequest,
  sort: SortDirection,
): PagedRead<BalanceFound> {
  const order = byTime(sort)
  const interval = filter.interval
  const statement =
    interval === undefined ? ofTransactions(filter, request, order) : byInterval(filter, interval, request, sort)
  return { statement, toValue: decodeBalance, order, limit: request.limit }
}

/**
 * After each transaction. In the order of the index alone, with all of the last time: where the planner expects few, it would sort all.
 * Balances are read of the page, not of the rows in front of it.
 */
function ofTransactions(filter: BalanceFilter, request: PageRequest, order: RowOrder): SqlText {
  const after = request.after === null ? [] : [afterKey(order, request.after, sql`t`)]
  const by = orderBy(order, sql`t`)
  const found = sql`select ${COLUMNS} from transactions t ${within(filter, isAccount, after)}
    ${orderBy(order.slice(0, 1), sql`t`)} ${boundsOfPart(request, 'with ties')}`
  return sql`select t.*, ${BALANCE} from (select t.* from (${found}) t ${by} ${bounds(request)}) t ${by}`
}
