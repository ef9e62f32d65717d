// Transactions by their hashes, and by a message they received or sent.

import type { Sql, SqlRow, SqlText, StatementOptions } from '../database.ts'
import { sql } from '../sql.ts'
import { type TransactionRow, transactions } from '../tables/chain.ts'
import { decoderOf } from '../tables/decoder.ts'
import { type ByMessageFilter, endsOf, takenOrSent } from './messageEnds.ts'
import { messageConditions } from './messageFilter.ts'
import { messageSelectsByHash, messagesByHash } from './messagesByHash.ts'
import { afterKey, orderBy, type SortDirection } from './order.ts'
import { bounds, type PagedRead, type PageRequest, rowsByKeys } from './page.ts'
import { inRounds, readAll, type StoreRead } from './read.ts'
import { byLt, SELECT_TRANSACTIONS } from './transactions.ts'

const decodeHash = decoderOf({ hash: transactions.fields.hash })

/** The hash of a row that has nothing else. */
export const toTransactionHash = (row: SqlRow): Uint8Array => decodeHash(row).hash

/** Transactions by their hashes, in no order. */
export const transactionsByHashRead = (hashes: readonly Uint8Array[]): StoreRead<TransactionRow> => ({
  statement: sql.steady(sql`${SELECT_TRANSACTIONS} where t.hash = any(${hashes}::bytea[])`),
  toValue: transactions.decode,
})

/** The same for a list of any length. */
export const readTransactionsByHash = (
  from: Sql,
  hashes: readonly Uint8Array[],
  options?: StatementOptions,
): Promise<TransactionRow[]> => inRounds(hashes, (some) => readAll(from, transactionsByHashRead(some), options))

/** Messages by their hashes, and whatever else is said of them. */
type NamedMessagesFilter = ByMessageFilter & { readonly hashes: readonly Uint8Array[] }

/** Messages by their hashes, found by these alone, whatever else is said of them. */
function namedMessages(hashes: readonly Uint8Array[], more: readonly SqlText[]): SqlText {
  if (more.length === 0) return messagesByHash(hashes, sql`m.hash, m.out_tx_hash`)
  const found = sql.join(messageSelectsByHash(hashes, sql`m.*`), ' union all ')
  return sql`select distinct m.hash, m.out_tx_hash from (${found} offset 0) m
    where ${sql.join(more, ' and ')}`
}

/** By hashes of messages, which match few transactions. `offset 0` has them looked up one by one, also without statistics. */
function namedRead(select: SqlText, filter: NamedMessagesFilter, after: readonly SqlText[]): SqlText {
  const ofEnd = {
    taken: sql`select taken.hash from named cross join lateral (
        select t.hash from transactions t where t.in_msg_hash = named.hash offset 0) taken`,
    sent: sql`select named.out_tx_hash from named where named.out_tx_hash is not null`,
  }
  const ends = endsOf(filter).map((end) => ofEnd[end])
  const where = [sql`t.hash = any(array(${sql.join(ends, ' union ')}))`, ...after]
  const named = namedMessages(filter.hashes, messageConditions({ ...filter, hashes: undefined }))
  return sql`with named as materialized (${named}) ${select} where ${sql.join(where, ' and ')}`
}

const SELECT_HASHES = sql`select t.hash from transactions t`

/** Hashes of the transactions that received or sent named messages, in no order. */
export const endsOfMessagesRead = (filter: NamedMessagesFilter): StoreRead<Uint8Array> => ({
  statement: endsOf(filter).length === 0 ? sql`${SELECT_HASHES} where false` : namedRead(SELECT_HASHES, filter, []),
  toValue: toTransactionHash,
})

/** Whether the list has one way for all values: by a body or an operation, which indexes have in its order. */
const isSteady = ({ bodyHash, opcode, source, destination }: ByMessageFilter): boolean =>
  [bodyHash, opcode, source, destination].filter((one) => one !== undefined).length === 1

/** A page of transactions by logical time, each once however many of its messages match. */
export function transactionsByMessageRead(
  filter: ByMessageFilter,
  request: PageRequest,
  sort: SortDirection,
): PagedRead<TransactionRow> {
  const order = byLt(sort)
  const by = orderBy(order, sql`t`)
  const after = request.after === null ? [] : [afterKey(order, request.after, sql`t`)]
  const ends = endsOf(filter)
  const shape = { toValue: transactions.decode, order, limit: request.limit }
  if (ends.length === 0) return { statement: sql`${SELECT_TRANSACTIONS} where false`, ...shape }
  const { hashes } = filter
  if (hashes !== undefined) {
    const named = namedRead(SELECT_TRANSACTIONS, { ...filter, hashes }, after)
    return { statement: sql.steady(sql`${named} ${by} ${bounds(request)}`), ...shape }
  }
  const keys = sql`select t.hash from (${takenOrSent(filter, order, request)}) t ${by} ${bounds(request)}`
  const statement = rowsByKeys({ keys, select: SELECT_TRANSACTIONS, alias: sql`t`, key: sql`hash`, order })
  return { statement: isSteady(filter) ? sql.steady(statement) : statement, ...shape }
}
