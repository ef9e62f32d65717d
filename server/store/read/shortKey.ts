// Conditions on accounts and hashes that large indexes begin with. Such an index holds 8 bytes: a salted hash. Any sender may write to
// any address: without the salt one could choose addresses with the key of another account, and make pages of that account slow.
// Found rows are compared in full, so two values with the same key only cost time.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import type { AccountKey } from '../tables/column.ts'

/** The key in the indexes; null for null. */
export const shortKey = (value: SqlText): SqlText => sql`short_key(${value})`

/**
 * For the planner one of two, and no way to an index: of a second equality it would expect that few rows fit both, and sort them all.
 */
export const isMet = (condition: SqlText): SqlText => sql`coalesce(${condition}, false)`

const isBytes = (column: SqlText, value: SqlText): SqlText =>
  sql`${shortKey(column)} = ${shortKey(sql`${value}::bytea`)} and ${isMet(sql`${column} = ${value}`)}`

export const isAccount = isBytes

/**
 * The same as a range, for a list in the order of the key and what its index has behind it: no other index has that order, and the
 * planner cannot take the order of all rows for a way to the frequent ones.
 */
export const isAlong = (column: SqlText, value: SqlText): SqlText =>
  sql`${shortKey(column)} >= ${shortKey(sql`${value}::bytea`)} and ${shortKey(column)} <= ${shortKey(sql`${value}::bytea`)}
    and ${isMet(sql`${column} = ${value}`)}`

/** The same where few rows have it, however many have it in other places: the planner does not see which value it is. */
export const isSeldom = (column: SqlText, value: SqlText): SqlText =>
  sql`${shortKey(column)} = (select ${shortKey(sql`${value}::bytea`)}) and ${isMet(sql`${column} = ${value}`)}`

/** Of two accounts at once, along an index of both together. */
export const areAccounts = ([a, b]: readonly [SqlText, SqlText], [is, and]: readonly [SqlText, SqlText]): SqlText =>
  sql`${shortKey(sql`${a} || ${b}`)} = ${shortKey(sql`${is}::bytea || ${and}::bytea`)}
    and ${isMet(sql`${a} = ${is} and ${b} = ${and}`)}`

export const isOneOfAccounts = (column: SqlText, accounts: readonly AccountKey[]): SqlText =>
  sql`${shortKey(column)} = any(array(select ${shortKey(sql`one`)} from unnest(${accounts}::bytea[]) one))
    and ${isMet(sql`${column} = any(${accounts}::bytea[])`)}`

export const isHash = (column: SqlText, hash: Uint8Array): SqlText => isBytes(column, sql`${hash}`)

/** Unsalted: a hash that begins like a given one takes 2^56 attempts, two of one's own that begin alike 2^28; either costs readers one row. */
const START_BYTES = 7

/** The key in indexes of traces. */
export const hashStart = (value: SqlText): SqlText => sql`substring(${value} for ${sql.raw(String(START_BYTES))})`

export const equalsHash = (column: SqlText, hash: SqlText): SqlText =>
  sql`${hashStart(column)} = ${hashStart(hash)} and ${isMet(sql`${column} = ${hash}`)}`

/**
 * The planner sees how many hashes there are. They are compared along a hash table: along the list, a thousand traces took seven times
 * as long.
 */
export const equalsAnyHash = (column: SqlText, hashes: readonly Uint8Array[]): SqlText =>
  sql`${hashStart(column)} = any(${hashes.map((one) => one.subarray(0, START_BYTES))}::bytea[])
    and ${isMet(sql`${column} in (select unnest(${hashes}::bytea[]))`)}`
