// Messages by what they carry and whom they go between, each once, with the transactions at both of its ends.

import type { Row, SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { type MessageRow, messages } from '../tables/chain.ts'
import { type AccountKey, bytea, nullable } from '../tables/column.ts'
import { decoderOf } from '../tables/table.ts'
import { behind, byBytes, byNumber, checkKey, type Direction, type Order, type OrderColumn, orderBy } from './order.ts'
import { bounds, boundsOfPart, type PageAsk, type PagedRead, rowsByKeys } from './page.ts'

export interface MessageFilter {
  /** By either of a message's hashes. */
  readonly hashes?: readonly Uint8Array[] | undefined
  readonly bodyHash?: Uint8Array | undefined
  /** Null for messages that have none: those sent in from outside. */
  readonly source?: AccountKey | null | undefined
  /** Null for messages that have none: those that leave the chain. */
  readonly destination?: AccountKey | null | undefined
  /** Signed. */
  readonly opcode?: number | undefined
  /** When they were made, bounds included: no message from outside has such a time. */
  readonly startUtime?: number | undefined
  readonly endUtime?: number | undefined
  readonly startLt?: bigint | undefined
  readonly endLt?: bigint | undefined
  /** As what it was seen: taken in by a transaction, or sent by one. */
  readonly direction?: 'in' | 'out' | undefined
  /** Without those from outside. */
  readonly excludeExternals?: boolean | undefined
  /** Nothing but those from outside. */
  readonly onlyExternals?: boolean | undefined
}

/** A message and the transactions that took it in and sent it, as far as they were looked for and are there. */
export interface MessageFound extends MessageRow {
  readonly inTxHash: Uint8Array | null
}

/** Of messages `m`; without the sender, which some lists leave out. */
export const MESSAGE_COLUMNS = messages.select('m', { except: ['outTxHash'] })

const decodeReceiver = decoderOf({ inTxHash: nullable(bytea) })

const decodeFound = (row: Row): MessageFound => ({ ...messages.decode(row), ...decodeReceiver(row) })

/** Messages `m` that have one of the hashes as their own or as their normalized one. */
export const hasHash = (hashes: readonly Uint8Array[]): SqlText => sql`m.hash in (
    select hash from messages where hash = any(${hashes})
    union select hash from messages where hash_norm = any(${hashes}) and hash_norm is not null
  )`

/** A filter that can be said of one message `m` as it stands. */
export function messageConditions(filter: MessageFilter): SqlText[] {
  const { hashes, bodyHash, source, destination, opcode } = filter
  const parts: SqlText[] = []
  if (hashes !== undefined) parts.push(hasHash(hashes))
  if (bodyHash !== undefined) parts.push(sql`m.body_hash = ${bodyHash}`)
  if (opcode !== undefined) parts.push(sql`m.opcode = ${opcode}`)
  if (source !== undefined) parts.push(source === null ? sql`m.source is null` : sql`m.source = ${source}`)
  if (destination !== undefined)
    parts.push(destination === null ? sql`m.destination is null` : sql`m.destination = ${destination}`)
  return parts
}

function conditions(filter: MessageFilter): SqlText[] {
  const { startUtime, endUtime, startLt, endLt, direction } = filter
  const parts = messageConditions(filter)
  if (startUtime !== undefined) parts.push(sql`m.created_at >= ${startUtime}`)
  if (endUtime !== undefined) parts.push(sql`m.created_at <= ${endUtime}`)
  if (startLt !== undefined) parts.push(sql`m.created_lt >= ${startLt}`)
  if (endLt !== undefined) parts.push(sql`m.created_lt <= ${endLt}`)
  if (direction === 'in') parts.push(sql`exists (select from transactions c where c.in_msg_hash = m.hash)`)
  if (direction === 'out') parts.push(sql`m.out_tx_hash is not null`)
  return parts
}

/**
 * A part of the list that one index has in its order: messages of the chain, which have a time, or those from outside,
 * which have none.
 */
interface Part {
  readonly where: readonly SqlText[]
  readonly by: SqlText
}

interface Ordered {
  readonly time: OrderColumn
  readonly order: Order
}

function orderOf({ startUtime, endUtime }: MessageFilter, sort: Direction): Ordered {
  const timed = startUtime !== undefined || endUtime !== undefined
  const time = { ...byNumber(timed ? 'created_at' : 'created_lt', sort), nullable: true }
  return { time, order: [time, byBytes('hash', sort)] }
}

/** Those of the chain: without a place to begin behind, or one among them, or before them. */
function timedPart(filter: MessageFilter, { time, order }: Ordered, { after }: PageAsk): Part | null {
  if (filter.onlyExternals === true || filter.source === null) return null
  // What leaves the chain is taken in by no transaction.
  if (filter.destination === null && filter.direction === 'in') return null
  if (after !== null && after[0] === null && time.direction === 'asc') return null
  const place =
    after === null || after[0] === null ? sql`m.${sql.identifier(time.name)} is not null` : behindPlace(order, after)
  // An index by destination has those without one in its order only when it is named there.
  const lead = filter.destination === null ? sql`m.destination ${sql.identifier(time.direction)}, ` : sql.empty
  return { where: [place], by: sql`order by ${lead}${columns(order)}` }
}

/** Those from outside: they have no source, and always a destination. */
function untimedPart(filter: MessageFilter, { time, order }: Ordered, { after }: PageAsk): Part | null {
  const { startUtime, endUtime, startLt, endLt, source, destination, direction } = filter
  const bounded = [startUtime, endUtime, startLt, endLt].some((bound) => bound !== undefined)
  if (filter.excludeExternals === true || bounded || (source !== undefined && source !== null)) return null
  // No transaction sent them.
  if (destination === null || direction === 'out') return null
  if (after !== null && after[0] !== null && time.direction === 'desc') return null
  const untimed = sql`m.${sql.identifier(time.name)} is null`
  const begun = after !== null && after[0] === null
  const where = begun ? [untimed, behind(order.slice(1), after.slice(1), sql`m`)] : [untimed]
  return { where, by: sql`order by ${columns(order)}` }
}

const behindPlace = (order: Order, after: NonNullable<PageAsk['after']>): SqlText => behind(order, after, sql`m`)

const columns = (order: Order): SqlText =>
  sql.join(order.map(({ name, direction }) => sql`m.${sql.identifier(name)} ${sql.identifier(direction)}`))

/** A page of messages by when they were made, then by hash; those from outside come before all others in `desc`. */
export function messagesRead(filter: MessageFilter, ask: PageAsk, sort: Direction): PagedRead<MessageFound> {
  const ordered = orderOf(filter, sort)
  const { order } = ordered
  if (ask.after !== null) checkKey(order, ask.after)
  const parts = [timedPart(filter, ordered, ask), untimedPart(filter, ordered, ask)].filter((part) => part !== null)
  const conditioned = conditions(filter)
  const consumer =
    filter.direction === 'out'
      ? sql`null::bytea`
      : sql`(select c.hash from transactions c where c.in_msg_hash = m.hash order by c.lt, c.account limit 1)`
  const producer = filter.direction === 'in' ? sql`null::bytea` : sql`m.out_tx_hash`
  const select = sql`select ${MESSAGE_COLUMNS}, ${consumer} as in_tx_hash, ${producer} as out_tx_hash from messages m`
  const shape = { toValue: decodeFound, order, limit: ask.limit }
  const [first, second] = parts
  if (!first) return { statement: sql`${select} where false`, ...shape }
  const where = (part: Part) => sql.join([...conditioned, ...part.where], ' and ')
  if (!second) return { statement: sql`${select} where ${where(first)} ${first.by} ${bounds(ask)}`, ...shape }
  const keysOf = (part: Part) =>
    sql`(select m.hash, m.${sql.identifier(ordered.time.name)} from messages m
      where ${where(part)} ${part.by} ${boundsOfPart(ask)})`
  const keys = sql`select m.hash from (${keysOf(first)} union all ${keysOf(second)}) m
    ${orderBy(order, sql`m`)} ${bounds(ask)}`
  return { statement: rowsByKeys({ keys, select, alias: sql`m`, key: sql`hash`, order }), ...shape }
}
