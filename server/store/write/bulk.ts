// Many rows in one statement: each column goes in as one array, and `unnest` makes rows of them again. The statement is
// the same however many rows there are, and no engine has to read a text of a thousand brackets.

import type { Sql, SqlText, SqlValue } from '../database.ts'
import { arrayText } from '../parameters.ts'
import { sql } from '../sql.ts'

/** Of a row, what stands in a column. */
type Cells<R> = { readonly [K in keyof R]: SqlValue }

export interface Table<R extends Cells<R>> {
  readonly name: string
  /** Names and types as in the migration, such as `['lt', 'int8']`; what is not listed gets its default. */
  readonly columns: readonly (readonly [name: keyof R & string, type: string])[]
  /** What to do with a row whose key is there: a clause such as `` sql`on conflict do nothing` ``; by default a failure. */
  readonly onConflict?: SqlText
}

/** Bounds what is held twice, as rows and as the arrays sent; larger statements are not faster. */
const MOST_ROWS = 5_000

/** Inserts rows in their order. Inside a transaction all of them or none. */
export async function insertRows<R extends Cells<R>>(to: Sql, table: Table<R>, rows: readonly R[]): Promise<void> {
  for (let from = 0; from < rows.length; from += MOST_ROWS) {
    await to.query(insertion(table, rows.slice(from, from + MOST_ROWS)))
  }
}

function insertion<R extends Cells<R>>({ name, columns, onConflict }: Table<R>, rows: readonly R[]): SqlText {
  const names = columns.map(([column]) => sql.name(column))
  const arrays = columns.map(([column, type]) => {
    const values = rows.map((row): SqlValue => row[column])
    return isArray(type) ? sql`${values.map(textOf)}::text[]` : sql`${values}::${sql.name(`${type}[]`)}`
  })
  const picks = columns.map(([column, type]) =>
    isArray(type) ? sql`${sql.name(column)}::${sql.name(type)}` : sql.name(column),
  )
  return sql`insert into ${sql.name(name)} (${sql.join(names)})
    select ${sql.join(picks)} from unnest(${sql.join(arrays)}) as rows (${sql.join(names)})
    ${onConflict ?? sql.empty}`
}

/** Arrays of arrays are one matrix to PostgreSQL, which `unnest` takes apart to the last: so each goes as its text. */
const isArray = (type: string): boolean => type.endsWith('[]')
const textOf = (value: SqlValue): SqlValue => (Array.isArray(value) ? arrayText(value) : value)
