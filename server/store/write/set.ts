// Tables that are written together: each by its name in the set.

import type { Sql } from '../database.ts'
import type { Fields, WrittenRowOf } from '../tables/fields.ts'
import type { TableDefinition } from '../tables/table.ts'
import { insertRows } from './bulk.ts'
import { settleAll } from './enqueue.ts'

type FieldsByName = Readonly<Record<string, Fields>>
type TableSet<F extends FieldsByName> = { readonly [K in keyof F]: TableDefinition<F[K]> }
type RowSet<F extends FieldsByName> = { readonly [K in keyof F]: readonly WrittenRowOf<F[K]>[] }

/** The rows of each table of a set. */
export type RowsOf<S extends Readonly<Record<string, { readonly fields: Fields }>>> = RowSet<{
  readonly [K in keyof S]: S[K]['fields']
}>

/** Inserts the rows of all tables of a set, in the order of the set. */
export function insertSet<F extends FieldsByName>(to: Sql, tables: TableSet<F>, rows: RowSet<F>): Promise<void> {
  const insert = <K extends keyof F>(name: K): Promise<void> =>
    insertRows<WrittenRowOf<F[K]>>(to, tables[name], rows[name])
  // The cast: the keys of that object.
  return settleAll((Object.keys(tables) as (keyof F)[]).map(insert))
}
