import type { Sql } from '../database.ts'
import { sql } from '../sql.ts'
import { StoreError } from '../storeError.ts'

/** Without the first a missing value in a list becomes the text NULL, without the second bytes in the tables are others. */
const ON = ['array_nulls', 'standard_conforming_strings']

/** Throws StoreError `mismatch` when a role or a database has settings under which other values would be written. */
export async function checkSettings(from: Sql): Promise<void> {
  const off = await from.query<{ name: string }>(
    sql`select s.name from unnest(${ON}::text[]) s (name) where current_setting(s.name, true) = 'off'`,
    { retries: false },
  )
  if (off.length === 0) return
  const names = off.map(({ name }) => name)
  throw new StoreError(
    'mismatch',
    `The database has ${names.join(' and ')} off for this user, with which wrong values would be stored: switch on what is off, ` +
      `as with ALTER ROLE ... SET ${names[0]} = on`,
  )
}
