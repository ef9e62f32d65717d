// One page of a list: behind a place in its order, or so many rows from the start.

import type { QueryOptions, Sql, SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { type Key, keyOf, type Order, orderBy } from './order.ts'
import type { Read } from './read.ts'

export interface PageAsk {
  readonly limit: number
  readonly offset: number
  /** Null for the start of the list. */
  readonly after: Key | null
}

/** Its statement reads one row more than the page has, which tells whether there are more. */
export interface PagedRead<T> extends Read<T> {
  readonly order: Order
  readonly limit: number
}

export interface Page<T> {
  readonly rows: readonly T[]
  /** The place of the last row; null when there is nothing behind it. */
  readonly next: Key | null
}

/** How many rows a statement may read, and from where. */
export const bounds = ({ limit, offset }: PageAsk): SqlText => sql`limit ${limit + 1} offset ${offset}`

/** The same for a part of the list, which does not know how many rows of the other parts come first. */
export const boundsOfPart = ({ limit, offset }: PageAsk): SqlText => sql`limit ${limit + 1 + offset}`

/** The rows of a table that a list of keys names, in the order of the list. `keys` has its bounds. */
export const rowsByKeys = (select: SqlText, keys: SqlText, order: Order): SqlText =>
  sql`with page as materialized (${keys}) ${select} where t.hash in (select hash from page) ${orderBy(order, sql`t`)}`

export async function readPage<T>(from: Sql, read: PagedRead<T>, options?: QueryOptions): Promise<Page<T>> {
  const found = await from.query(read.statement, options)
  const rows = found.slice(0, read.limit)
  const last = rows.at(-1)
  return {
    rows: rows.map(read.toValue),
    next: last && found.length > read.limit ? keyOf(read.order, last) : null,
  }
}
