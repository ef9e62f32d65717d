// Messages by content, source and destination, each once, with the transactions that sent and received it.

import type { SqlRow, SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { type MessageRow, messages } from '../tables/chain.ts'
import { type AccountKey, bytea, nullable } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { isDeep } from './deepPage.ts'
import { fewFirst } from './fewFirst.ts'
import { messagesByHash } from './messagesByHash.ts'
import { nearFirst } from './nearRows.ts'
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
import { isAccount, isAlong, isSeldom, shortKey } from './shortKey.ts'
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

/** Of messages `m`; without `out_tx_hash`, which some lists replace by null, and without their bags. */
export const OWN_MESSAGE_COLUMNS = messages.select('m', { except: ['outTxHash', 'body', 'init'] })

/** The same with its bags. */
export const MESSAGE_COLUMNS = sql`${OWN_MESSAGE_COLUMNS},
  ${wholeBag('m', 'body')} as body, ${wholeBag('m', 'init')} as init`

const decodeReceiver = decoderOf({ inTxHash: nullable(bytea) })

const decodeFound = (row: SqlRow): MessageFound => ({ ...messages.decode(row), ...decodeReceiver(row) })

/** Messages `m` that have one of the hashes as their own or as their normalized one. */
const hasHash = (hashes: readonly Uint8Array[]): SqlText => sql`m.hash in (${messagesByHash(hashes, sql`m.hash`)})`

/** First columns of the indexes of messages. */
type Lead = 'bodyHash' | 'source' | 'destination' | 'opcode'

/** How a condition on the first column of an index is put. */
type Is = (column: SqlText, value: SqlText) => SqlText

const isEnd = (column: SqlText, account: AccountKey | null, is: Is): SqlText =>
  account === null ? sql`${shortKey(column)} is null` : is(column, sql`${account}`)

const BODY = sql`one.body_hash`

/**
 * An operation is the beginning of a body: all messages with one body have it, or none has. So one of them is looked at; as a
 * condition on each, all with a frequent body would be read to find none.
 */
export const isOpcodeOfBody = (bodyHash: Uint8Array, opcode: number): SqlText => sql`(
    select one.opcode from messages one where ${isAlong(BODY, sql`${bodyHash}`)}
    order by ${shortKey(BODY)}, one.created_lt limit 1
  ) = ${opcode}`

/** The conditions on columns of the message `m` itself; that of `lead` is put in this way. */
export function messageConditions(filter: MessageFilter, lead: Lead | null = null, way: Is = isAlong): SqlText[] {
  const { hashes, bodyHash, source, destination, opcode } = filter
  const is = (name: Lead) => (name === lead ? way : isAccount)
  const parts: SqlText[] = []
  if (hashes !== undefined) parts.push(hasHash(hashes))
  if (bodyHash !== undefined) parts.push(is('bodyHash')(sql`m.body_hash`, sql`${bodyHash}`))
  if (opcode !== undefined) {
    if (bodyHash !== undefined) parts.push(isOpcodeOfBody(bodyHash, opcode))
    else
      parts.push(lead === 'opcode' ? sql`m.opcode >= ${opcode} and m.opcode <= ${opcode}` : sql`m.opcode = ${opcode}`)
  }
  if (source !== undefined) parts.push(isEnd(sql`m.source`, source, is('source')))
  if (destination !== undefined) parts.push(isEnd(sql`m.destination`, destination, is('destination')))
  return parts
}

function timesOf({ bodyHash, startUtime, endUtime, ...lts }: MessageFilter): SqlText[] {
  const within = (bounds: TimeAndLtBounds) =>
    withinBounds({ seconds: sql`m.created_at`, lt: sql`m.created_lt` }, bounds)
  // Messages with a body are found along an index by logical time, whatever the order of the list.
  if (bodyHash !== undefined) return [...within({ startUtime, endUtime }), ...within(lts)]
  return within({ startUtime, endUtime, ...lts })
}

function conditions(filter: MessageFilter, lead: Lead | null, way?: Is): SqlText[] {
  const parts = [...messageConditions(filter, lead, way), ...timesOf(filter)]
  const { direction } = filter
  // As a value: as a condition that one exists, the planner joins all messages with all transactions for a long page.
  if (direction === 'in')
    parts.push(sql`(select c.lt from transactions c where c.in_msg_hash = m.hash limit 1) is not null`)
  if (direction === 'out') parts.push(sql`m.out_tx_hash is not null`)
  return parts
}

/**
 * Selects a part of the list, no fewer than its page can have: messages with a time, which were sent on the chain, or messages without,
 * which came from outside.
 */
type Part = (columns: SqlText) => SqlText

interface Ordered {
  readonly time: OrderColumn
  readonly order: RowOrder
}

function orderOf(filter: MessageFilter, sort: SortDirection): Ordered {
  const time = { ...byNumber(isTimed(filter) ? 'created_at' : 'created_lt', sort), nullable: true }
  return { time, order: [time, byBytes('hash', sort)] }
}

const sort = ({ direction }: OrderColumn): SqlText => sql.identifier(direction)

/** The column with an index by time that leads to the fewest messages; by seconds there is none of bodies. */
function leadOf(filter: MessageFilter): Lead | null {
  const { hashes, bodyHash, source, destination, opcode } = filter
  if (hashes !== undefined || (bodyHash !== undefined && isTimed(filter))) return null
  if (bodyHash !== undefined) return 'bodyHash'
  if (source !== undefined) return 'source'
  if (destination !== undefined) return 'destination'
  return opcode === undefined ? null : 'opcode'
}

const LEADS: Readonly<Record<Lead, SqlText>> = {
  bodyHash: shortKey(sql`m.body_hash`),
  source: shortKey(sql`m.source`),
  destination: shortKey(sql`m.destination`),
  opcode: sql`m.opcode`,
}

const byLead = (lead: Lead | null, direction: SqlText): SqlText =>
  lead === null ? sql.empty : sql`${LEADS[lead]} ${direction}, `

/** Filters by bodies and accounts: the planner has no statistics of how often two of these meet. */
const isPair = ({ bodyHash, source, destination }: MessageFilter): boolean =>
  [bodyHash, source, destination].filter((one) => one !== undefined).length > 1

/** Of an operation and an account: hardly any messages may have the operation. */
const isOfOpcode = ({ bodyHash, opcode, source, destination }: MessageFilter): boolean =>
  bodyHash === undefined && opcode !== undefined && (source !== undefined || destination !== undefined)

/** The conditions along the index of a column, and the others. */
function apart(filter: MessageFilter, lead: Lead): { readonly along: SqlText[]; readonly rest: SqlText[] } {
  const { startUtime, endUtime, startLt, endLt, direction, ...named } = filter
  return {
    along: conditions({ [lead]: filter[lead], startUtime, endUtime, startLt, endLt }, lead),
    rest: conditions({ ...named, [lead]: undefined, direction }, null),
  }
}

/**
 * Messages with a time; null when the page cannot have any. In the order of one index alone, with all of the last time: where the
 * planner expects few messages, it would read all of them for an order that goes further.
 */
function timedPart(filter: MessageFilter, { time, order }: Ordered, request: PageRequest): Part | null {
  const { after } = request
  if (filter.onlyExternals === true || filter.source === null) return null
  // No transaction receives a message that leaves the chain.
  if (filter.destination === null && filter.direction === 'in') return null
  if (after !== null && after[0] === null && time.direction === 'asc') return null
  const name = sql`m.${sql.identifier(time.name)}`
  const start = after === null || after[0] === null ? sql`${name} is not null` : afterKey(order, after, sql`m`)
  const lead = leadOf(filter)
  const where = sql.join([...conditions(filter, lead), start], ' and ')
  const by = byLead(lead, sort(time))
  // Those with some hashes are few.
  const bound = boundsOfPart(request, filter.hashes === undefined ? 'with ties' : undefined)
  const inOrder = filter.hashes === undefined ? sql`${by}${name} ${sort(time)}` : columnsOf(order)
  if (lead === null || !(isPair(filter) || isOfOpcode(filter)))
    return (columns) => sql`select ${columns} from messages m where ${where} order by ${inOrder} ${bound}`
  // Most bodies that come often are of many accounts.
  const account = filter.source === undefined ? 'destination' : 'source'
  const { along, rest } = apart(filter, account)
  const listOf = (first: Lead, parts: readonly SqlText[]) => sql`select * from messages m
    where ${sql.join([...parts, start], ' and ')} order by ${byLead(first, sort(time))}${name} ${sort(time)}`
  const near = (first: SqlText) =>
    sql`select * from (${first}) m where ${sql.join(rest, ' and ')} ${orderBy(order, sql`m`)} ${boundsOfPart(request)}`
  const many = (isWanted: SqlText) =>
    sql`select * from messages m where ${where} and ${isWanted} order by ${inOrder} ${bound}`
  const few = (isWanted: SqlText) => sql`${listOf('opcode', [...conditions(filter, 'opcode'), isWanted])} ${bound}`
  const counted = sql`select from messages m where ${sql.join([...apart(filter, 'opcode').along, start], ' and ')}`
  const all = isOfOpcode(filter) ? fewFirst({ counted, few, many }) : many
  return (columns) =>
    sql`select ${columns} from (${nearFirst({ along: listOf(account, along), near, all }, request)}) m`
}

/** Messages from outside, which have a destination and no source; null when the page cannot have any. */
function untimedPart(filter: MessageFilter, { time, order }: Ordered, request: PageRequest): Part | null {
  const { after } = request
  const { startUtime, endUtime, startLt, endLt, source, destination, direction, bodyHash } = filter
  const bounded = [startUtime, endUtime, startLt, endLt].some((bound) => bound !== undefined)
  if (filter.excludeExternals === true || bounded || (source !== undefined && source !== null)) return null
  // No transaction sent them.
  if (destination === null || direction === 'out') return null
  if (after !== null && after[0] !== null && time.direction === 'desc') return null
  const begun = after !== null && after[0] === null
  // They are all equal in the first column: without it the planner finds the indexes of these messages.
  const byHash = order.slice(1)
  const start = begun ? [afterKey(byHash, after.slice(1), sql`m`)] : []
  // Their index has the whole destination. That they have no source is known: said again, the planner would expect few of them.
  const end = destination === undefined ? [] : [sql`m.destination = ${destination}`]
  const own = conditions({ ...filter, source: undefined, destination: undefined }, 'bodyHash', isSeldom)
  const where = sql.join([...own, ...end, sql`m.created_lt is null`, ...start], ' and ')
  // With a body they are few, and found by it: in the order of all messages from outside, the planner would read all of those.
  const from =
    bodyHash === undefined ? sql`messages m where ${where}` : sql`(select * from messages m where ${where} offset 0) m`
  return (columns) => sql`select ${columns} from ${from} ${orderBy(byHash, sql`m`)} ${boundsOfPart(request)}`
}

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

const columnsOf = (order: RowOrder): SqlText =>
  sql.join(order.map(({ name, direction }) => sql`m.${sql.identifier(name)} ${sql.identifier(direction)}`))

const RECEIVERS = sql`select c.hash from transactions c where c.in_msg_hash = m.hash`
/** A message from outside may be received more than once, as often as its contract accepts it. */
const FIRST_RECEIVER = sql`(${RECEIVERS} order by c.lt, c.account limit 1)`
/** A message of the chain is received once. To sort one row takes as long as to find it. */
const ONLY_RECEIVER = sql`(${RECEIVERS} limit 1)`

const RECEIVER = sql`case when m.created_lt is null then ${FIRST_RECEIVER} else ${ONLY_RECEIVER} end`

/** What is only shown is read of each row in front of a page, unless keys are selected first, which costs each row of the page a look-up. */
const isFar = (request: PageRequest): boolean =>
  isDeep(request) || (request.after === null && request.offset > 2 * (request.limit + 1))

/** A page of messages by time, then by hash; messages from outside come first in `desc`. */
export function messagesRead(
  filter: MessageFilter,
  request: PageRequest,
  sort: SortDirection,
): PagedRead<MessageFound> {
  const ordered = orderOf(filter, sort)
  const { order } = ordered
  if (request.after !== null) checkKey(order, request.after)
  const timed = timedPart(filter, ordered, request)
  const untimed = untimedPart(filter, ordered, request)
  const receiver = filter.direction === 'out' ? sql`null::bytea` : untimed === null ? ONLY_RECEIVER : RECEIVER
  const sender = filter.direction === 'in' ? sql`null::bytea` : sql`m.out_tx_hash`
  const columns = sql`${MESSAGE_COLUMNS}, ${receiver} as in_tx_hash, ${sender} as out_tx_hash`
  const select = sql`select ${columns} from messages m`
  const shape = { toValue: decodeFound, order, limit: request.limit }
  const marked = (statement: SqlText) => (isSteady(filter, request) ? sql.steady(statement) : statement)
  const only = timed === null || untimed === null ? (timed ?? untimed) : null
  if (timed === null && untimed === null) return { statement: sql`${select} where false`, ...shape }
  const page = sql`${orderBy(order, sql`m`)} ${bounds(request)}`
  // Of rows in front of a far page nothing is read but their keys.
  if (only !== null && !isFar(request))
    return { statement: marked(sql`select ${columns} from (${only(sql`m.*`)}) m ${page}`), ...shape }
  // That those from outside have no time is known: their index alone has their keys.
  const parts = [
    ...(timed === null ? [] : [timed(sql`m.hash, m.${sql.identifier(ordered.time.name)}`)]),
    ...(untimed === null ? [] : [untimed(sql`m.hash, null::int8 as ${sql.identifier(ordered.time.name)}`)]),
  ]
  const keys = sql`select m.hash from (${sql.join(
    parts.map((part) => sql`(${part})`),
    ' union all ',
  )}) m ${page}`
  return { statement: marked(rowsByKeys({ keys, select, alias: sql`m`, key: sql`hash`, order })), ...shape }
}
