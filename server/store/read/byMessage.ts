// Transactions by their hashes, and by a message they received or sent.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { type TransactionRow, transactions } from '../tables/chain.ts'
import { type MessageFilter, messageConditions } from './messages.ts'
import { behind, type Direction, orderBy } from './order.ts'
import { bounds, boundsOfPart, type PageAsk, type PagedRead, rowsByKeys } from './page.ts'
import type { Read } from './read.ts'
import { byLt, SELECT_TRANSACTIONS } from './transactions.ts'

/** Transactions by their hashes, in no order. */
export const transactionsByHashRead = (hashes: readonly Uint8Array[]): Read<TransactionRow> => ({
  statement: sql`${SELECT_TRANSACTIONS} where t.hash = any(${hashes}::bytea[])`,
  toValue: transactions.decode,
})

export type ByMessageFilter = Pick<
  MessageFilter,
  'hashes' | 'bodyHash' | 'opcode' | 'source' | 'destination' | 'direction'
>

/** What is asked of a message and stands in the transaction that took it in too, in the order of the list. */
function takenConditions({ bodyHash, opcode }: ByMessageFilter): SqlText[] {
  const parts: SqlText[] = []
  if (bodyHash !== undefined) parts.push(sql`t.in_body_hash = ${bodyHash}`)
  if (opcode !== undefined) parts.push(sql`t.in_opcode = ${opcode}`)
  return parts
}

/** The keys of transactions that took in one of the messages. */
function taken(filter: ByMessageFilter, after: readonly SqlText[]): SqlText {
  const own = takenConditions(filter)
  const { source, destination } = filter
  const isEnough = source === undefined && destination === undefined
  const messages = isEnough ? sql.empty : sql`join messages m on m.hash = t.in_msg_hash`
  const where = [...own, ...(isEnough ? [] : messageConditions(filter)), ...after]
  return sql`select t.hash, t.lt, t.account from transactions t ${messages} where ${sql.join(where, ' and ')}`
}

/** The keys of transactions that sent one of the messages; who sent several is one transaction all the same. */
const sent = (filter: ByMessageFilter, after: readonly SqlText[]): SqlText =>
  sql`select distinct t.hash, t.lt, t.account from (
      select m.out_tx_hash as hash, m.out_lt as lt, m.source as account from messages m
      where ${sql.join(messageConditions(filter), ' and ')} and m.out_lt is not null
    ) t ${after.length === 0 ? sql.empty : sql`where ${sql.join(after, ' and ')}`}`

type End = 'taken' | 'sent'

/** An opcode is asked of those it was sent to: it is never that of a message sent. */
function endsOf({ opcode, direction }: ByMessageFilter): readonly End[] {
  if (opcode !== undefined) return direction === 'out' ? [] : ['taken']
  return direction === 'in' ? ['taken'] : direction === 'out' ? ['sent'] : ['taken', 'sent']
}

/** Of messages that are named: they are few, and so are their transactions. */
function namedRead(hashes: readonly Uint8Array[], filter: ByMessageFilter, after: readonly SqlText[]): SqlText {
  const more = messageConditions({ ...filter, hashes: undefined }).map((part) => sql` and ${part}`)
  const ofEnd = {
    taken: sql`select taken.hash from named join transactions taken on taken.in_msg_hash = named.hash`,
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

/** A page of transactions by logical time, each once however many of its messages fit. */
export function transactionsByMessageRead(
  filter: ByMessageFilter,
  ask: PageAsk,
  sort: Direction,
): PagedRead<TransactionRow> {
  const order = byLt(sort)
  const by = orderBy(order, sql`t`)
  const after = ask.after === null ? [] : [behind(order, ask.after, sql`t`)]
  const ends = endsOf(filter)
  const shape = { toValue: transactions.decode, order, limit: ask.limit }
  if (ends.length === 0) return { statement: sql`${SELECT_TRANSACTIONS} where false`, ...shape }
  const { hashes } = filter
  if (hashes !== undefined)
    return { statement: sql.steady(sql`${namedRead(hashes, filter, after)} ${by} ${bounds(ask)}`), ...shape }
  const keysOf = { taken, sent }
  const parts = ends.map((end) => sql`(${keysOf[end](filter, after)} ${by} ${boundsOfPart(ask)})`)
  const keys = sql`select t.hash from (${sql.join(parts, ' union ')}) t ${by} ${bounds(ask)}`
  return {
    statement: rowsByKeys({ keys, select: SELECT_TRANSACTIONS, alias: sql`t`, key: sql`hash`, order }),
    ...shape,
  }
}
