// Whether a dump is being restored: pg_restore makes the tables, then their rows, then the indexes. Until a table has one, rows
// of it may be missing.

import type { Sql, SqlText, StatementOptions } from './database.ts'
import { sql } from './sql.ts'
import { allTables } from './tables/all.ts'

/** Every table of the index has an index from the step on that makes it. */
const NAMES = allTables.map(({ name }) => name)

/** An expression: the name of one of these tables that has no index, or null. */
export const bareAmong = (names: readonly string[]): SqlText => sql`(select relname::text from pg_class
  where relname = any(${names}::text[]) and relkind = 'r' and not relhasindex and pg_table_is_visible(oid)
  order by relname limit 1)`

export const bareTable = bareAmong(NAMES)

/** The name of a table of the index whose rows may be missing; null when there is none. */
export async function readBareTable(from: Sql, options?: StatementOptions): Promise<string | null> {
  const [found] = await from.query<{ bare: string | null }>(sql`select ${bareTable} as bare`, options)
  return found?.bare ?? null
}

/** What an operator reads who may have started the service too early, or whose restore was cut short. */
export const bareText = (table: string): string =>
  `the table ${table} has no indexes yet, as while a dump is restored, and is used once pg_restore has ended; where none runs, ` +
  'it was cut short: restore the dump into an empty database'
