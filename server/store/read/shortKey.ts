// Conditions on accounts and hashes that large indexes begin with. Such an index holds the last 7 bytes: with their length they
// take 8, a whole account takes 40. Rows it finds are compared whole, so two with the same end only cost time. For a hash, the end
// of another takes 2^56 attempts to make. A message can go to any address: rows with an account's end cost their sender the fees.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import type { AccountKey } from '../tables/column.ts'

const END_BYTES = 7

/** As the indexes have it: of 33 bytes. */
export const endOfAccount = (account: SqlText): SqlText => sql`substring(${account} from 27)`

const endOfHash = (hash: SqlText): SqlText => sql`substring(${hash} from 26)`

/** For the planner one of two: of a second equality it would expect that few rows fit both, and sort them all. */
const isWhole = (condition: SqlText): SqlText => sql`coalesce(${condition}, false)`

export const isAccount = (column: SqlText, account: SqlText): SqlText =>
  sql`${endOfAccount(column)} = ${endOfAccount(sql`${account}::bytea`)} and ${isWhole(sql`${column} = ${account}`)}`

export const isOneOfAccounts = (column: SqlText, accounts: readonly AccountKey[]): SqlText =>
  sql`${endOfAccount(column)} = any(${accounts.map((one) => one.subarray(-END_BYTES))}::bytea[])
    and ${isWhole(sql`${column} = any(${accounts}::bytea[])`)}`

export const isHash = (column: SqlText, hash: Uint8Array): SqlText =>
  sql`${endOfHash(column)} = ${hash.subarray(-END_BYTES)}::bytea and ${isWhole(sql`${column} = ${hash}`)}`
