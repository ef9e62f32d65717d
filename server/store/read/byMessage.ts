// Transactions by their hashes, and by a message they received or sent.

import type { Sql, SqlRow, SqlText, StatementOptions } from '../database.ts'
import { sql } from '../sql.ts'
import { type TransactionRow, transactions } from '../tables/chain.ts'
import { decoderOf } from '../tables/decoder.ts'
import { isDeep } from './deepPage.ts'
import { isOpcodeOfBody, type MessageFilter, messageConditions } from './messages.ts'
import { messageSelectsByHash, messagesByHash } from './messagesByHash.ts'
import { afterKey, fromKey, orderBy, type RowOrder, type SortDirection } from './order.ts'
import { bounds, boundsOfPart, type PagedRead, type PageRequest, rowsByKeys } from './page.ts'
import { inRounds, readAll, type StoreRead } from './read.ts'
import { isAccount, isAlong, isHash, shortKey } from './shortKey.ts'
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

export type ByMessageFilter = Pick<
  MessageFilter,
  'hashes' | 'bodyHash' | 'opcode' | 'source' | 'destination' | 'direction'
>

/** Messages by their hashes, and whatever else is said of them. */
type NamedMessagesFilter = ByMessageFilter & { readonly hashes: readonly Uint8Array[] }

/** Conditions on the received message. Its transaction has these fields, and its destination, as columns, with indexes in the order of the list. */
function takenConditions({ bodyHash, opcode, destination }: ByMessageFilter): SqlText[] {
  const parts: SqlText[] = []
  if (bodyHash !== undefined) parts.push(isHash(sql`t.in_body_hash`, bodyHash))
  if (opcode !== undefined)
    parts.push(bodyHash === undefined ? sql`t.in_opcode = ${opcode}` : isOpcodeOfBody(bodyHash, opcode))
  // No transaction receives a message that leaves the chain.
  if (destination !== undefined)
    parts.push(destination === null ? sql`false` : isAccount(sql`t.account`, sql`${destination}`))
  return parts
}

/** Keys of transactions that received one of the messages. */
function taken(filter: ByMessageFilter, after: readonly SqlText[], order: RowOrder, bound: PageRequest): SqlText {
  const own = takenConditions(filter)
  const isEnough = filter.source === undefined
  // One message after the other. A planner that expects few rows of both lists would compare each row of one with each of the other.
  const from = isEnough
    ? sql`transactions t`
    : sql`messages m cross join lateral (select * from transactions one where one.in_msg_hash = m.hash offset 0) t`
  const where = [...own, ...(isEnough ? [] : messageConditions(filter)), ...after]
  return sql`(select t.hash, t.lt, t.account from ${from} where ${sql.join(where, ' and ')}
    ${orderBy(order.slice(0, 1), sql`t`)} ${boundsOfPart(bound, 'with ties')})`
}

/** Keys of transactions that sent one of the messages, each once. */
const sent = (filter: ByMessageFilter, after: readonly SqlText[], order: RowOrder, bound: PageRequest): SqlText =>
  sql`(select distinct t.hash, t.lt, t.account from (${sentMessages(filter, order, bound)}) t
    ${after.length === 0 ? sql.empty : sql`where ${sql.join(after, ' and ')}`} ${orderBy(order, sql`t`)} ${boundsOfPart(bound)})`

/**
 * The messages with a body of as many logical times as a page can have transactions: from one time to the next along the index. A
 * transaction may send hundreds of them, so that no number of messages is enough for a page. With another filter, or far behind the
 * start, all of them.
 */
function sentMessages(filter: ByMessageFilter, [byTime]: RowOrder, request: PageRequest): SqlText {
  const { limit, offset, after } = request
  const { bodyHash, source, destination } = filter
  const keys = sql`m.out_tx_hash as hash, m.out_lt as lt, m.source as account`
  const isOther = (source ?? destination) !== undefined || isDeep(request)
  if (bodyHash === undefined || byTime === undefined || isOther)
    return sql`select ${keys} from messages m where ${sql.join(messageConditions(filter), ' and ')} and m.out_lt is not null`
  const direction = sql.identifier(byTime.direction)
  const where = isAlong(sql`m.body_hash`, sql`${bodyHash}`)
  const next = (from: SqlText) => sql`(select m.out_lt as lt from messages m where ${where} and ${from}
    order by ${shortKey(sql`m.body_hash`)} ${direction}, m.out_lt ${direction} limit 1)`
  const column = { ...byTime, name: 'out_lt' }
  const start = after === null ? sql`m.out_lt is not null` : fromKey(column, after[0] ?? null, sql`m`)
  const further = sql`m.out_lt ${sql.raw(byTime.direction === 'asc' ? '>' : '<')} s.lt`
  // One more: at the time of a key there may be none left.
  return sql`with recursive steps as (
      select 1 as place, f.lt from ${next(start)} f
      union all
      select s.place + 1, n.lt from steps s cross join lateral ${next(further)} n where s.place <= ${limit + offset + 1}::int4
    ) select m.* from steps s cross join lateral (
      select ${keys} from messages m where ${isHash(sql`m.body_hash`, bodyHash)} and m.out_lt = s.lt offset 0) m`
}

type End = 'taken' | 'sent'

/** A filter by opcode means received messages only, as in the reference. */
function endsOf({ opcode, direction }: ByMessageFilter): readonly End[] {
  if (opcode !== undefined) return direction === 'out' ? [] : ['taken']
  return direction === 'in' ? ['taken'] : direction === 'out' ? ['sent'] : ['taken', 'sent']
}

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
  const keysOf = { taken, sent }
  const parts = ends.map((end) => keysOf[end](filter, after, order, request))
  const keys = sql`select t.hash from (${sql.join(parts, ' union ')}) t ${by} ${bounds(request)}`
  const statement = rowsByKeys({ keys, select: SELECT_TRANSACTIONS, alias: sql`t`, key: sql`hash`, order })
  return { statement: isSteady(filter) ? sql.steady(statement) : statement, ...shape }
}
