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

/** Whether the rows in front of the page are as few as are looked through at once. */
export const isSoonFound = (request: PageRequest): boolean => needed(request) <= 2 * MOST

export interface NearList {
  /** Selects the rows along the index, in order of its columns alone. */
  readonly along: SqlText
  /** Selects rows of the page from the first ones along the index: no more than it needs. */
  readonly near: (first: SqlText) => SqlText
  /** Selects the page from all rows, where a condition is true. */
  readonly all: (isWanted: SqlText) => SqlText
}

/** Further rows, of lists whose `all` reads many more before it finds any. */
const further = (request: PageRequest): readonly number[] => {
  const rows = Math.min(5 * bound(request), MOST)
  return 2 * bound(request) < rows ? [rows] : []
}

interface Round {
  readonly tables: SqlText
  readonly rows: SqlText
  readonly isPage: SqlText
}

/** Looks through so many rows, where those before them were not enough. */
function roundOf({ along, near }: NearList, request: PageRequest, at: { rows: number; before: Round | null }): Round {
  const { rows, before } = at
  const name = (of: string) => sql.identifier(`${of}_${rows}`)
  const isWanted = before === null ? sql`true` : sql`not ${before.isPage}`
  const isFull = sql`select count(*) >= ${needed(request)}
    or (select count(*) from ${name('nearest')}) < ${rows} from ${name('near')}`
  return {
    tables: sql`${name('nearest')} as materialized (${along} fetch first (${rows}) rows with ties),
      ${name('near')} as materialized (${near(sql`select * from ${name('nearest')} where ${isWanted}`)}),
      ${name('found')} as materialized (
        select case when ${isWanted} then (${isFull}) else true end as is_page)`,
    rows: sql`select * from ${name('near')} where (select f.is_page from ${name('found')} f)`,
    isPage: sql`(select f.is_page from ${name('found')} f)`,
  }
}

/** The rows of `near` when they fill the page or no others are along the index, else those of `all`. */
export function nearFirst(list: NearList, request: PageRequest, goesFurther = false): SqlText {
  let last = roundOf(list, request, { rows: bound(request), before: null })
  const rounds = [last]
  for (const rows of goesFurther ? further(request) : []) {
    last = roundOf(list, request, { rows, before: last })
    rounds.push(last)
  }
  return sql`
  with ${sql.join(rounds.map(({ tables }) => tables))}
  ${sql.join(
    rounds.map(({ rows }) => rows),
    ' union all ',
  )}
  union all select * from (${list.all(sql`not ${last.isPage}`)}) m`
}
