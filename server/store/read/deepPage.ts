// A page far behind the start of a list. Where it begins is found in indexes alone: read whole, the rows in front of it took the
// database nearly all of its time.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import type { OrderColumn } from './order.ts'
import { type PageRequest, whereAll } from './page.ts'

/** Fewer rows are soon passed over. */
const DEEP = 500

export const isDeep = ({ offset, after }: PageRequest): boolean => offset >= DEEP && after === null

export interface DeepList {
  /** The table and its alias. */
  readonly table: SqlText
  readonly alias: SqlText
  /** The first of the order; not null in any row. */
  readonly column: OrderColumn
  /** All rows of the list: conditions of each part, which has an index of the column. */
  readonly parts: readonly (readonly SqlText[])[]
}

export interface DeepStart {
  /** Goes in front of the statement. */
  readonly before: SqlText
  /** True of the rows from the first of those on that equal the page's first one in the column. */
  readonly condition: SqlText
  /** How many of them are in front of the page. */
  readonly offset: SqlText
}

/** Nothing is found behind the end of the list. */
export function deepStart({ table, alias, column, parts }: DeepList, { offset }: PageRequest): DeepStart {
  const name = sql`${alias}.${sql.identifier(column.name)}`
  const edge = sql`(select e.place from edge e)`
  const by = (of: SqlText) => sql`order by ${of} ${sql.identifier(column.direction)}`
  const places = parts.map(
    (own) => sql`(select ${name} as place from ${table} ${whereAll(own)} ${by(name)} limit ${offset + 1})`,
  )
  const isInFront = sql`${name} ${sql.raw(column.direction === 'asc' ? '<' : '>')} ${edge}`
  const counts = parts.map((own) => sql`(select count(*) from ${table} ${whereAll([...own, isInFront])})`)
  return {
    before: sql`with edge as materialized (select p.place from (${sql.join(places, ' union all ')}) p
        ${by(sql`p.place`)} limit 1 offset ${offset}),
      front as materialized (select ${sql.join(counts, ' + ')} as rows) `,
    condition: sql`${name} ${sql.raw(column.direction === 'asc' ? '>=' : '<=')} ${edge}`,
    offset: sql`${offset}::int8 - (select f.rows from front f)`,
  }
}
