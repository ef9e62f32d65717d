// A list by two conditions with an index each. Whether few rows or nearly all of an index fit both, the planner cannot see: it expects
// few, and reads all rows of both indexes. So the first rows along one index are looked through first, and all only when the page is
// not full with these.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import type { PageRequest } from './page.ts'

/** Rows of the index for each one of the page, and most of all, unless the page itself is as long. */
const EACH = 3
const MOST = 1000

const needed = ({ limit, offset }: PageRequest): number => limit + 1 + offset

/** How far the index is looked through. */
const bound = (request: PageRequest): number => Math.max(2 * needed(request), Math.min(EACH * needed(request), MOST))

export interface NearList {
  /** Selects the rows along the index, in order of its columns alone. */
  readonly along: SqlText
  /** Selects rows of the page from the first ones along the index: no more than it needs. */
  readonly near: (first: SqlText) => SqlText
  /** Selects the page from all rows, where a condition is true. */
  readonly all: (isWanted: SqlText) => SqlText
}

/** The rows of `near` when they fill the page or no others are along the index, else those of `all`. */
export function nearFirst({ along, near, all }: NearList, request: PageRequest): SqlText {
  const rows = bound(request)
  const isPage = sql`(select f.is_page from found f)`
  return sql`
  with nearest as materialized (${along} fetch first (${rows}) rows with ties),
  near as materialized (${near(sql`select * from nearest`)}), found as materialized (
    select count(*) >= ${needed(request)} or (select count(*) from nearest) < ${rows} as is_page from near)
  select * from near where ${isPage}
  union all select * from (${all(sql`not ${isPage}`)}) m`
}
