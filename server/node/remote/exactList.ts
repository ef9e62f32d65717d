// Lists of a block's transactions that say for sure whether more follow. A lite server calls every full list incomplete, also
// one with nothing behind it.

import type { ListQuery } from '../liteServer.ts'
import { MOST_LISTED } from '../transactionOrder.ts'
import type { VerifiedList } from '../verify/index.ts'

type Place = Required<ListQuery>['after']

/** One more is read than is wanted; behind the longest list of a lite server it takes a second call. */
export async function exactList<T>(
  query: ListQuery,
  placeOf: (one: T) => Place,
  read: (query: ListQuery) => Promise<VerifiedList<T>>,
): Promise<VerifiedList<T>> {
  const { count } = query
  if (count < MOST_LISTED) {
    const { transactions } = await read({ ...query, count: count + 1 })
    return { transactions: transactions.slice(0, count), incomplete: transactions.length > count }
  }
  const { transactions, incomplete } = await read(query)
  const last = transactions.at(-1)
  if (!incomplete || last === undefined) return { transactions, incomplete }
  const { account, lt } = placeOf(last)
  const { transactions: more } = await read({ ...query, after: { account, lt }, count: 1 })
  return { transactions, incomplete: more.length > 0 }
}
