// Traces that are too large to be read at once: the names of their transactions and accounts, some at a time.

import { sql } from '../sql.ts'
import { type AccountKey, bytea } from '../tables/column.ts'
import { orderBy } from './order.ts'
import type { PageRequest } from './page.ts'
import type { StoreRead } from './read.ts'
import { equalsAnyHash } from './shortKey.ts'
import { byLt } from './transactions.ts'

const HASH_BYTES = 32
const ACCOUNT_BYTES = 33
const NAME_BYTES = HASH_BYTES + ACCOUNT_BYTES

/** A transaction by its name. */
export interface NamedTransaction {
  readonly hash: Uint8Array
  readonly account: AccountKey
}

/** The names of some transactions, one after the other. */
export const unpackNames = (packed: Uint8Array): NamedTransaction[] =>
  Array.from({ length: packed.length / NAME_BYTES }, (_, i) => {
    const name = packed.subarray(i * NAME_BYTES, (i + 1) * NAME_BYTES)
    return { hash: name.subarray(0, HASH_BYTES), account: name.subarray(HASH_BYTES) }
  })

interface NamesRequest extends Pick<PageRequest, 'offset' | 'limit'> {
  /** Names in one row. */
  readonly perRow: number
}

/** Some of the transactions of a trace by their names, the last first. No index has them in this order: see below. */
export const lastOfTraceRead = (
  traceId: Uint8Array,
  { offset, limit, perRow }: NamesRequest,
): StoreRead<Uint8Array> => ({
  statement: sql`select string_agg(own.hash || own.account, ''::bytea order by own.place) as packed from (
      select t.hash, t.account, row_number() over by_lt as place,
        (row_number() over by_lt - 1 - ${offset}::int8) / ${perRow}::int8 as part
      from transactions t where ${equalsAnyHash(sql`t.trace_id`, [traceId])}
      window by_lt as (${orderBy(byLt('desc'), sql`t`)}) order by place limit ${limit} offset ${offset}) own
    group by own.part order by own.part`,
  toValue: (row) => bytea.decode(row.packed),
})

/** Of one row. */
const PACKED = 1_000

/** The keys of some accounts, one after the other. */
export const unpackAccounts = (packed: Uint8Array): AccountKey[] =>
  Array.from({ length: packed.length / ACCOUNT_BYTES }, (_, i) =>
    packed.subarray(i * ACCOUNT_BYTES, (i + 1) * ACCOUNT_BYTES),
  )

/**
 * Accounts with transactions of a trace, each once, in the order of their keys and behind one of them: many in each row. No index has
 * them in this order, so that each statement goes through the whole trace.
 */
export const accountsOfTraceRead = (
  traceId: Uint8Array,
  { after, limit }: { readonly after: AccountKey | null; readonly limit: number },
): StoreRead<Uint8Array> => ({
  statement: sql`select string_agg(account, ''::bytea order by account) as packed from (
      select account, (row_number() over (order by account) - 1) / ${PACKED}::int8 as part from (
        select distinct t.account from transactions t where ${equalsAnyHash(sql`t.trace_id`, [traceId])}
          and (${after}::bytea is null or t.account > ${after}::bytea) order by t.account limit ${limit}) own) one
    group by part order by part`,
  toValue: (row) => bytea.decode(row.packed),
})
