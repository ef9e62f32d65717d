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

/** How far the index is looked through, in order of its columns alone. */
export function nearBound(request: PageRequest): SqlText {
  const rows = needed(request)
  return sql`fetch first (${Math.max(2 * rows, Math.min(EACH * rows, MOST))}) rows with ties`
}

export interface NearList {
  /** Selects rows of the page that are among the first rows of the index: no more than it needs. */
  readonly near: SqlText
  /** Selects the page from all rows, where a condition is true. */
  readonly all: (isWanted: SqlText) => SqlText
}

/** The rows of `near` when they fill the page, else those of `all`. */
export const nearFirst = ({ near, all }: NearList, request: PageRequest): SqlText => sql`
  with near as materialized (${near}), found as materialized (select count(*) as rows from near)
  select * from near where (select f.rows from found f) >= ${needed(request)}
  union all select * from (${all(sql`(select f.rows from found f) < ${needed(request)}`)}) m`
