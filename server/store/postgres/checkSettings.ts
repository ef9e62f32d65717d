import type { Sql } from '../database.ts'
import { sql } from '../sql.ts'
import { StoreError } from '../storeError.ts'

/** Without the first a missing value in a list becomes the text NULL, without the second bytes in the tables are others. */
const ON = ['array_nulls', 'standard_conforming_strings']

/** Of the others some characters are missing in each; SQL_ASCII keeps bytes as they come. */
const ENCODINGS = ['UTF8', 'SQL_ASCII']

/** Throws StoreError `mismatch` when a role or a database has settings under which values cannot be written, or others would be. */
export async function checkSettings(from: Sql): Promise<void> {
  const [row] = await from.query<{ encoding: string | null; off: readonly string[] }>(
    sql`select current_setting('server_encoding', true) as encoding,
      array(select s.name from unnest(${ON}::text[]) s (name) where current_setting(s.name, true) = 'off') as off`,
    { retries: false },
  )
  requireEncoding(row?.encoding ?? 'UTF8')
  const [first, ...others] = row?.off ?? []
  if (first === undefined) return
  throw new StoreError(
    'mismatch',
    `The database has ${[first, ...others].join(' and ')} off for this user, with which wrong values would be stored: switch on what is off, ` +
      `as with ALTER ROLE ... SET ${first} = on`,
  )
}

function requireEncoding(encoding: string): void {
  if (ENCODINGS.includes(encoding.toUpperCase())) return
  throw new StoreError(
    'mismatch',
    `The database has the encoding ${encoding}, which lacks characters of comments and names: use one that was made with ENCODING 'UTF8'`,
  )
}
