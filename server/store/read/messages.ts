// Messages by content, source and destination, each once, with the transactions that sent and received it.

import type { SqlRow, SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { type MessageRow, messages } from '../tables/chain.ts'
import { bytea, nullable } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { isDeep } from './deepPage.ts'
import { byMessageLead, type MessageFilter, messageLeadOf, messageListConditions } from './messageFilter.ts'
import { isMessagePair, isOutsidePair, messagePair, outsidePair } from './messagePairs.ts'
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
import { isSeldom } from './shortKey.ts'
import { isTimed } from './timesOfLts.ts'

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
  if (isMessagePair(filter))
    return (columns) => sql`select ${columns} from (${messagePair(filter, { time, order, start }, request)}) m`
  const lead = messageLeadOf(filter)
  const where = sql.join([...messageListConditions(filter, lead), start], ' and ')
  const by = byMessageLead(lead, sort(time))
  // Those with some hashes are few.
  const bound = boundsOfPart(request, filter.hashes === undefined ? 'with ties' : undefined)
  const inOrder = filter.hashes === undefined ? sql`${by}${name} ${sort(time)}` : columnsOf(order)
  return (columns) => sql`select ${columns} from messages m where ${where} order by ${inOrder} ${bound}`
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
  if (isOutsidePair(filter)) {
    const pair = outsidePair(filter, { order: byHash, start: start[0] ?? sql`true` }, request)
    return (columns) => sql`select ${columns} from (${pair}) m`
  }
  // Their index has the whole destination. That they have no source is known: said again, the planner would expect few of them.
  const end = destination === undefined ? [] : [sql`m.destination = ${destination}`]
  const own = messageListConditions({ ...filter, source: undefined, destination: undefined }, 'bodyHash', isSeldom)
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
