// Messages by content, source and destination, each once, with the transactions that sent and received it.

import type { SqlRow, SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { type MessageRow, messages } from '../tables/chain.ts'
import { type AccountKey, bytea, nullable } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import {
  afterKey,
  byBytes,
  byNumber,
  checkKey,
  type OrderColumn,
  orderBy,
  type RowOrder,
  type SortDirection,
} from './order.ts'
import { bounds, boundsOfPart, type PagedRead, type PageRequest, rowsByKeys } from './page.ts'
import { isAccount, isHash, shortKey } from './shortKey.ts'
import { isTimed, type TimeAndLtBounds, withinBounds } from './timesOfLts.ts'

/** The times are those when they were made; messages from outside have none. */
export interface MessageFilter extends TimeAndLtBounds {
  /** By either of a message's hashes. */
  readonly hashes?: readonly Uint8Array[] | undefined
  readonly bodyHash?: Uint8Array | undefined
  /** Null for messages without a source, which come from outside. */
  readonly source?: AccountKey | null | undefined
  /** Null for messages without a destination, which leave the chain. */
  readonly destination?: AccountKey | null | undefined
  /** Signed. */
  readonly opcode?: number | undefined
  /** Only messages that a transaction received, or that a transaction sent. */
  readonly direction?: 'in' | 'out' | undefined
  /** Without messages from outside. */
  readonly excludeExternals?: boolean | undefined
  /** Only messages from outside. */
  readonly onlyExternals?: boolean | undefined
}

/** A message, and the transactions that received and sent it: null where there is none, or `direction` excludes it. */
export interface MessageFound extends MessageRow {
  readonly inTxHash: Uint8Array | null
}

/** A bag of messages by this alias. */
export function wholeBag(alias: string, name: 'body' | 'init'): SqlText {
  const column = (of: string) => sql`${sql.identifier(alias)}.${sql.identifier(of)}`
  return sql`coalesce(${column(name)}, (select b.bag from shared_bags b where b.hash = ${column(`${name}_hash`)}))`
}

/** Of messages `m`; without `out_tx_hash`, which some lists replace by null. */
export const MESSAGE_COLUMNS = sql`${messages.select('m', { except: ['outTxHash', 'body', 'init'] })},
  ${wholeBag('m', 'body')} as body, ${wholeBag('m', 'init')} as init`

const decodeReceiver = decoderOf({ inTxHash: nullable(bytea) })

const decodeFound = (row: SqlRow): MessageFound => ({ ...messages.decode(row), ...decodeReceiver(row) })

/** Messages `m` that have one of the hashes as their own or as their normalized one. */
const hasHash = (hashes: readonly Uint8Array[]): SqlText => sql`m.hash in (
    select hash from messages where hash = any(${hashes})
    union select hash from messages where hash_norm = any(${hashes}) and hash_norm is not null
  )`

const isEnd = (column: SqlText, account: AccountKey | null): SqlText =>
  account === null ? sql`${shortKey(column)} is null` : isAccount(column, sql`${account}`)

/**
 * An operation is the beginning of a body: all messages with one body have it, or none has. So one of them is looked at; as a
 * condition on each, all with a frequent body would be read to find none.
 */
export const isOpcodeOfBody = (bodyHash: Uint8Array, opcode: number): SqlText => sql`(
    select one.opcode from messages one where ${isHash(sql`one.body_hash`, bodyHash)} order by one.created_lt limit 1
  ) = ${opcode}`

/** The conditions on columns of the message `m` itself. */
export function messageConditions(filter: MessageFilter): SqlText[] {
  const { hashes, bodyHash, source, destination, opcode } = filter
  const parts: SqlText[] = []
  if (hashes !== undefined) parts.push(hasHash(hashes))
  if (bodyHash !== undefined) parts.push(isHash(sql`m.body_hash`, bodyHash))
  if (opcode !== undefined)
    parts.push(bodyHash === undefined ? sql`m.opcode = ${opcode}` : isOpcodeOfBody(bodyHash, opcode))
  if (source !== undefined) parts.push(isEnd(sql`m.source`, source))
  if (destination !== undefined) parts.push(isEnd(sql`m.destination`, destination))
  return parts
}

function timesOf({ bodyHash, startUtime, endUtime, ...lts }: MessageFilter): SqlText[] {
  const within = (bounds: TimeAndLtBounds) =>
    withinBounds({ seconds: sql`m.created_at`, lt: sql`m.created_lt` }, bounds)
  // Messages with a body are found along an index by logical time, whatever the order of the list.
  if (bodyHash !== undefined) return [...within({ startUtime, endUtime }), ...within(lts)]
  return within({ startUtime, endUtime, ...lts })
}

function conditions(filter: MessageFilter): SqlText[] {
  const parts = [...messageConditions(filter), ...timesOf(filter)]
  const { direction } = filter
  if (direction === 'in') parts.push(sql`exists (select from transactions c where c.in_msg_hash = m.hash)`)
  if (direction === 'out') parts.push(sql`m.out_tx_hash is not null`)
  return parts
}

/**
 * A part of the list that one index has in order: messages with a time, which were sent on the chain, or messages without, which
 * came from outside.
 */
interface Part {
  /** All conditions, those of the filter too. */
  readonly where: readonly SqlText[]
  readonly by: SqlText
}

interface Ordered {
  readonly time: OrderColumn
  readonly order: RowOrder
}

function orderOf(filter: MessageFilter, sort: SortDirection): Ordered {
  const time = { ...byNumber(isTimed(filter) ? 'created_at' : 'created_lt', sort), nullable: true }
  return { time, order: [time, byBytes('hash', sort)] }
}

/** Messages with a time; null when the page cannot have any. */
function timedPart(filter: MessageFilter, { time, order }: Ordered, { after }: PageRequest): Part | null {
  if (filter.onlyExternals === true || filter.source === null) return null
  // No transaction receives a message that leaves the chain.
  if (filter.destination === null && filter.direction === 'in') return null
  if (after !== null && after[0] === null && time.direction === 'asc') return null
  const start =
    after === null || after[0] === null ? sql`m.${sql.identifier(time.name)} is not null` : afterRow(order, after)
  // Named in the order, so that the index by destination also serves messages without one. Not with a source or a body, whose own
  // indexes lead to fewer messages than all that leave the chain.
  const isByEnd = filter.destination === null && filter.source === undefined && filter.bodyHash === undefined
  const lead = isByEnd ? sql`${shortKey(sql`m.destination`)} ${sql.identifier(time.direction)}, ` : sql.empty
  return { where: [...conditions(filter), start], by: sql`order by ${lead}${columns(order)}` }
}

/** Messages from outside, which have a destination and no source; null when the page cannot have any. */
function untimedPart(filter: MessageFilter, { time, order }: Ordered, { after }: PageRequest): Part | null {
  const { startUtime, endUtime, startLt, endLt, source, destination, direction } = filter
  const bounded = [startUtime, endUtime, startLt, endLt].some((bound) => bound !== undefined)
  if (filter.excludeExternals === true || bounded || (source !== undefined && source !== null)) return null
  // No transaction sent them.
  if (destination === null || direction === 'out') return null
  if (after !== null && after[0] !== null && time.direction === 'desc') return null
  const untimed = sql`m.${sql.identifier(time.name)} is null`
  const begun = after !== null && after[0] === null
  // They are all equal in the first column: without it the planner finds the indexes of these messages.
  const byHash = order.slice(1)
  const start = begun ? [untimed, afterKey(byHash, after.slice(1), sql`m`)] : [untimed]
  // Their index has the whole destination. That they have no source is known: said again, the planner would expect few of them.
  const end = destination === undefined ? [] : [sql`m.destination = ${destination}`]
  const where = [...conditions({ ...filter, source: undefined, destination: undefined }), ...end, ...start]
  return { where, by: sql`order by ${columns(byHash)}` }
}

const afterRow = (order: RowOrder, after: NonNullable<PageRequest['after']>): SqlText => afterKey(order, after, sql`m`)

/**
 * Whether the list has one way for all values: messages with some hashes, all messages, or those with one body, operation or end, which
 * one index has in order of logical time. To plan such a list took longer than to read it.
 */
function isSteady(filter: MessageFilter, { after }: PageRequest): boolean {
  const { hashes, bodyHash, opcode, source, destination, direction } = filter
  const named = [hashes, bodyHash, opcode, source, destination].filter((one) => one !== undefined)
  if (named.length > 1 || named.includes(null) || direction !== undefined) return false
  const { startUtime, endUtime, startLt, endLt } = filter
  const isPart = after !== null || [startUtime, endUtime, startLt, endLt].some((bound) => bound !== undefined)
  return hashes === undefined ? named.length === 0 || !isTimed(filter) : !isPart
}

const columns = (order: RowOrder): SqlText =>
  sql.join(order.map(({ name, direction }) => sql`m.${sql.identifier(name)} ${sql.identifier(direction)}`))

/** A page of messages by time, then by hash; messages from outside come first in `desc`. */
export function messagesRead(
  filter: MessageFilter,
  request: PageRequest,
  sort: SortDirection,
): PagedRead<MessageFound> {
  const ordered = orderOf(filter, sort)
  const { order } = ordered
  if (request.after !== null) checkKey(order, request.after)
  const parts = [timedPart(filter, ordered, request), untimedPart(filter, ordered, request)].filter(
    (part) => part !== null,
  )
  const receiver =
    filter.direction === 'out'
      ? sql`null::bytea`
      : sql`(select c.hash from transactions c where c.in_msg_hash = m.hash order by c.lt, c.account limit 1)`
  const sender = filter.direction === 'in' ? sql`null::bytea` : sql`m.out_tx_hash`
  const select = sql`select ${MESSAGE_COLUMNS}, ${receiver} as in_tx_hash, ${sender} as out_tx_hash from messages m`
  const shape = { toValue: decodeFound, order, limit: request.limit }
  const marked = (statement: SqlText) => (isSteady(filter, request) ? sql.steady(statement) : statement)
  const [first, second] = parts
  if (!first) return { statement: sql`${select} where false`, ...shape }
  const where = (part: Part) => sql.join(part.where, ' and ')
  if (!second) {
    const statement = sql`${select} where ${where(first)} ${first.by} ${bounds(request)}`
    return { statement: marked(statement), ...shape }
  }
  const keysOf = (part: Part) =>
    sql`(select m.hash, m.${sql.identifier(ordered.time.name)} from messages m
      where ${where(part)} ${part.by} ${boundsOfPart(request)})`
  const keys = sql`select m.hash from (${keysOf(first)} union all ${keysOf(second)}) m
    ${orderBy(order, sql`m`)} ${bounds(request)}`
  return { statement: marked(rowsByKeys({ keys, select, alias: sql`m`, key: sql`hash`, order })), ...shape }
}
