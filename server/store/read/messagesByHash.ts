// Messages by their hashes: a caller may know a message by its own hash or by its normalized one.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'

/**
 * Two selects of messages `m`: by their own hashes, and by their normalized ones. The `is not null` is needed: a prepared statement
 * would not use the partial index without it. A message can be in both.
 */
export const messageSelectsByHash = (hashes: readonly Uint8Array[], columns: SqlText): [SqlText, SqlText] => [
  sql`select ${columns} from messages m where m.hash = any(${hashes}::bytea[])`,
  sql`select ${columns} from messages m where m.hash_norm = any(${hashes}::bytea[]) and m.hash_norm is not null`,
]

/** The same as one select, each message once. The columns have to differ between messages. */
export const messagesByHash = (hashes: readonly Uint8Array[], columns: SqlText): SqlText =>
  sql.join(messageSelectsByHash(hashes, columns), ' union ')
