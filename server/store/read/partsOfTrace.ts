// Traces that are too large to be read at once: the names of their transactions and accounts, some at a time.

import { sql } from '../sql.ts'
import { type TransactionRow, transactions } from '../tables/chain.ts'
import { type AccountKey, bytea } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { orderBy } from './order.ts'
import type { PageRequest } from './page.ts'
import type { StoreRead } from './read.ts'
import { equalsAnyHash } from './shortKey.ts'
import { byLt } from './transactions.ts'

const { hash, account } = transactions.fields
const decodeNamed = decoderOf({ hash, account })

/** Some of the transactions of a trace by their names, the last first. */
export const lastOfTraceRead = (
  traceId: Uint8Array,
  { offset, limit }: Pick<PageRequest, 'offset' | 'limit'>,
): StoreRead<Pick<TransactionRow, 'hash' | 'account'>> => ({
  statement: sql`select t.hash, t.account from transactions t where ${equalsAnyHash(sql`t.trace_id`, [traceId])}
    ${orderBy(byLt('desc'), sql`t`)} limit ${limit} offset ${offset}`,
  toValue: decodeNamed,
})

const ACCOUNT_BYTES = 33
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
