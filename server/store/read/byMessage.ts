// Transactions by a message they took in or sent.

import type { SqlText } from '../database.ts'
import type { TransactionRow } from '../rows.ts'
import { sql } from '../sql.ts'
import { type MessageFilter, messageConditions } from './messages.ts'
import { behind, type Direction, orderBy } from './order.ts'
import { bounds, boundsOfPart, type PageAsk, type PagedRead, rowsByKeys } from './page.ts'
import { byLt, SELECT_TRANSACTIONS, transactionOf } from './transactions.ts'

export type ByMessageFilter = Pick<
  MessageFilter,
  'hashes' | 'bodyHash' | 'opcode' | 'source' | 'destination' | 'direction'
>

/** The keys of transactions by one end of the messages `m`, before they are chosen. */
const TAKEN = sql`select t.hash, t.lt, t.account from messages m join transactions t on t.in_msg_hash = m.hash`
/** Whoever sent several of them is one transaction all the same. */
const SENT = sql`select distinct t.hash, t.lt, t.account from messages m join transactions t on t.hash = m.out_tx_hash`

/** An opcode is asked of those it was sent to: it is never that of a message sent. */
function endsOf({ opcode, direction }: ByMessageFilter): SqlText[] {
  if (opcode !== undefined) return direction === 'out' ? [] : [TAKEN]
  return direction === 'in' ? [TAKEN] : direction === 'out' ? [SENT] : [TAKEN, SENT]
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
  const where = sql.join([...messageConditions(filter), ...after], ' and ')
  const parts = endsOf(filter).map((end) => sql`(${end} where ${where} ${by} ${boundsOfPart(ask)})`)
  const shape = { toValue: transactionOf, order, limit: ask.limit }
  if (parts.length === 0) return { statement: sql`${SELECT_TRANSACTIONS} where false`, ...shape }
  const keys = sql`select t.hash from (${sql.join(parts, ' union ')}) t ${by} ${bounds(ask)}`
  return { statement: rowsByKeys(SELECT_TRANSACTIONS, keys, order), ...shape }
}
