// Rows found by several values of an indexed column, or by a value in either of two columns: an index has the rows of each value
// in order, and a page is cut from these lists merged.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'

/** Values of one column. */
export interface ValueList {
  readonly values: readonly Uint8Array[]
  /** Selects in parentheses for one value, each in the order of the page and no longer than it. */
  readonly selectsOf: (value: SqlText) => readonly SqlText[]
}

/**
 * Up to so many values have selects of their own, which the planner sees the frequency of. A longer list has one select for any
 * of its values: the statement stays short, but the planner takes them for rare ones and sorts all rows of a frequent one.
 */
const MOST_SEPARATE = 64

/** The selects whose union has the rows of all values. */
export function selectsOfValues(lists: readonly ValueList[]): SqlText[] {
  const count = lists.reduce((sum, { values }) => sum + values.length, 0)
  if (count <= MOST_SEPARATE)
    return lists.flatMap(({ values, selectsOf }) => values.flatMap((value) => selectsOf(sql`${value}`)))
  return lists
    .filter(({ values }) => values.length > 0)
    .flatMap(({ values, selectsOf }) =>
      selectsOf(sql`l.value`).map(
        (select) => sql`(select t.* from unnest(${values}::bytea[]) as l (value) cross join lateral ${select} t)`,
      ),
    )
}
