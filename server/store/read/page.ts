// One page of a list: after a key of its order, or so many rows from the start.

import type { Sql, SqlRow, SqlText, StatementOptions } from '../database.ts'
import { sql } from '../sql.ts'
import { orderBy, type PageKey, pageKeyOf, type RowOrder } from './order.ts'
import type { StoreRead } from './read.ts'

export interface PageRequest {
  readonly limit: number
  readonly offset: number
  /** Null for the start of the list. */
  readonly after: PageKey | null
}

/** The statement reads one row more than the page has: if it exists, there is a next page. */
export interface PagedRead<T> extends StoreRead<T> {
  readonly order: RowOrder
  readonly limit: number
}

export interface Page<T> {
  readonly rows: readonly T[]
  /** The key of the last row; null on the last page. */
  readonly next: PageKey | null
}

/** Rows that all conditions hold for; without any, all rows. */
export const whereAll = (conditions: readonly SqlText[]): SqlText =>
  conditions.length === 0 ? sql.empty : sql`where ${sql.join(conditions, ' and ')}`

/** How many rows a statement may read, and from where. */
export const bounds = ({ limit, offset }: PageRequest): SqlText => sql`limit ${limit + 1} offset ${offset}`

/**
 * The same for a part of a merged list, where rows of other parts may come first. With ties, where it is in order of one column only
 * and the rest of the order is made later.
 */
export const boundsOfPart = ({ limit, offset }: PageRequest, ties?: 'with ties'): SqlText =>
  ties === undefined ? sql`limit ${limit + 1 + offset}` : sql`fetch first (${limit + 1 + offset}) rows with ties`

export interface PageByKeys {
  /** Selects the keys of the page, in one column; has its bounds. */
  readonly keys: SqlText
  /** Selects rows of the table by this alias. */
  readonly select: SqlText
  readonly alias: SqlText
  /** The table's primary key. */
  readonly key: SqlText
  readonly order: RowOrder
}

/**
 * A page whose keys are selected first, from indexes alone: of all other rows nothing else is read. Each row by itself along the
 * index of its key: joined, the planner reads the whole table when it expects a long page, which it does without statistics.
 */
export const rowsByKeys = ({ keys, select, alias, key, order }: PageByKeys): SqlText =>
  sql`with page (key) as materialized (${keys}) select ${alias}.* from (select distinct key from page) p
    cross join lateral (${select} where ${alias}.${key} = p.key limit 1) ${alias} ${orderBy(order, alias)}`

/** The page in the rows of its statement. */
export function pageIn<T>(
  { order, limit, toValue }: Omit<PagedRead<T>, 'statement'>,
  found: readonly SqlRow[],
): Page<T> {
  const last = found.length > limit ? found[limit - 1] : undefined
  return {
    rows: found.slice(0, limit).map(toValue),
    next: last === undefined ? null : pageKeyOf(order, last),
  }
}

export const readPage = async <T>(from: Sql, read: PagedRead<T>, options?: StatementOptions): Promise<Page<T>> =>
  pageIn(read, await from.query(read.statement, options))
