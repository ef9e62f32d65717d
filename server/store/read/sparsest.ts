// A list by several conditions with an index each, where many rows fit each of them. Walked along any one index, it reads all rows of that
// index in front of its page, so it goes along the one with the fewest there: whose first rows reach furthest.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import type { SortDirection } from './order.ts'

/** How many rows along each index are looked at; an index that has no more is taken at once. */
const FIRST = 5000

export interface IndexWalk {
  /** Selects the rows of the index in order of the list, `place` alone: the first column of that order. */
  readonly places: SqlText
  /** Selects the page along this index, where a condition is true. */
  readonly page: (isWanted: SqlText) => SqlText
}

/** Walks of one list, those first that are likely to be short: behind one with few rows no other is looked at. */
export const alongSparsest =
  (walks: readonly IndexWalk[], direction: SortDirection) =>
  (isWanted: SqlText): SqlText => {
    const [only] = walks
    if (only !== undefined && walks.length === 1) return only.page(isWanted)
    const name = (i: number) => sql.identifier(`reach_${i}`)
    const place = (i: number) => sql`(select r.place from ${name(i)} r)`
    const isFurther = sql.raw(direction === 'asc' ? '>=' : '<=')
    const reaches = walks.map(
      ({ places }, i) => sql`${name(i)} as materialized (select (${places} offset ${FIRST} limit 1) as place)`,
    )
    const few = walks.map((_, i) => sql`when ${place(i)} is null then ${i}::int4`)
    const furthest = walks.map((_, i) => {
      const others = walks.flatMap((_, k) => (k === i ? [] : [sql`${place(i)} ${isFurther} ${place(k)}`]))
      return sql`when ${sql.join(others, ' and ')} then ${i}::int4`
    })
    const pages = walks.map(({ page }, i) => sql`select * from (${page(sql`(select c.walk from chosen c) = ${i}`)}) m`)
    return sql`with ${sql.join(reaches)}, chosen as materialized (
        select case when ${isWanted} then case ${sql.join([...few, ...furthest], ' ')} end end as walk)
      ${sql.join(pages, ' union all ')}`
  }
