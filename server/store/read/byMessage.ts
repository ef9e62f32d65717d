// Transactions by their hashes, and by a message they received or sent.

import type { Sql, SqlText, StatementOptions } from '../database.ts'
import { sql } from '../sql.ts'
import { type TransactionRow, transactions } from '../tables/chain.ts'
import { isOpcodeOfBody, type MessageFilter, messageConditions } from './messages.ts'
import { afterKey, orderBy, type SortDirection } from './order.ts'
import { bounds, boundsOfPart, type PagedRead, type PageRequest, rowsByKeys } from './page.ts'
import { inRounds, readAll, type StoreRead } from './read.ts'
import { isAccount, isHash } from './shortKey.ts'
import { byLt, SELECT_TRANSACTIONS } from './transactions.ts'

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
function taken(filter: ByMessageFilter, after: readonly SqlText[]): SqlText {
  const own = takenConditions(filter)
  const isEnough = filter.source === undefined
  const messages = isEnough ? sql.empty : sql`join messages m on m.hash = t.in_msg_hash`
  const where = [...own, ...(isEnough ? [] : messageConditions({ ...filter, destination: undefined })), ...after]
  return sql`select t.hash, t.lt, t.account from transactions t ${messages} where ${sql.join(where, ' and ')}`
}

/** Keys of transactions that sent one of the messages, each once. */
const sent = (filter: ByMessageFilter, after: readonly SqlText[]): SqlText =>
  sql`select distinct t.hash, t.lt, t.account from (
      select m.out_tx_hash as hash, m.out_lt as lt, m.source as account from messages m
      where ${sql.join(messageConditions(filter), ' and ')} and m.out_lt is not null
    ) t ${after.length === 0 ? sql.empty : sql`where ${sql.join(after, ' and ')}`}`

type End = 'taken' | 'sent'

/** A filter by opcode means received messages only, as in the reference. */
function endsOf({ opcode, direction }: ByMessageFilter): readonly End[] {
  if (opcode !== undefined) return direction === 'out' ? [] : ['taken']
  return direction === 'in' ? ['taken'] : direction === 'out' ? ['sent'] : ['taken', 'sent']
}

/** By hashes of messages, which match few transactions. `offset 0` has them looked up one by one, also without statistics. */
function namedRead(hashes: readonly Uint8Array[], filter: ByMessageFilter, after: readonly SqlText[]): SqlText {
  const more = messageConditions({ ...filter, hashes: undefined }).map((part) => sql` and ${part}`)
  const ofEnd = {
    taken: sql`select taken.hash from named cross join lateral (
        select t.hash from transactions t where t.in_msg_hash = named.hash offset 0) taken`,
    sent: sql`select named.out_tx_hash from named where named.out_tx_hash is not null`,
  }
  const ends = endsOf(filter).map((end) => ofEnd[end])
  const where = [sql`t.hash = any(array(${sql.join(ends, ' union ')}))`, ...after]
  return sql`with named as materialized (
      select m.hash, m.out_tx_hash from messages m where m.hash = any(${hashes})${sql.join(more, '')}
      union select m.hash, m.out_tx_hash from messages m
        where m.hash_norm = any(${hashes}) and m.hash_norm is not null${sql.join(more, '')}
    ) ${SELECT_TRANSACTIONS} where ${sql.join(where, ' and ')}`
}

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
  if (hashes !== undefined)
    return { statement: sql.steady(sql`${namedRead(hashes, filter, after)} ${by} ${bounds(request)}`), ...shape }
  const keysOf = { taken, sent }
  const parts = ends.map((end) => sql`(${keysOf[end](filter, after)} ${by} ${boundsOfPart(request)})`)
  const keys = sql`select t.hash from (${sql.join(parts, ' union ')}) t ${by} ${bounds(request)}`
  return {
    statement: rowsByKeys({ keys, select: SELECT_TRANSACTIONS, alias: sql`t`, key: sql`hash`, order }),
    ...shape,
  }
}
