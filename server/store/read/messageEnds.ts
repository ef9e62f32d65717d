// Keys of the transactions that received or sent messages with a body or an operation. With an end as well, hardly any of many rows may
// fit both: the first rows along one index are looked through, then all along an index that has few, and else along one up to the page.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { fewFirst, MOST_FEW } from './fewFirst.ts'
import { isOpcodeOfBody, type MessageFilter, messageConditions, messageEndConditions } from './messageFilter.ts'
import { nearFirst } from './nearRows.ts'
import { afterKey, fromKey, orderBy, type RowOrder } from './order.ts'
import { boundsOfPart, type PageRequest, whereAll } from './page.ts'
import { isAlong, isHash, isMet, shortKey } from './shortKey.ts'

export type ByMessageFilter = Pick<
  MessageFilter,
  'hashes' | 'bodyHash' | 'opcode' | 'source' | 'destination' | 'direction'
>

interface Listed {
  readonly order: RowOrder
  readonly request: PageRequest
}

const directionOf = ([byTime]: RowOrder): SqlText => sql.identifier(byTime?.direction ?? 'asc')

const afterOf = ({ order, request }: Listed): SqlText[] =>
  request.after === null ? [] : [afterKey(order, request.after, sql`t`)]

/** An index of transactions that received messages, in order of logical time. */
interface Lead {
  readonly along: SqlText
  readonly by: SqlText
}

/** By the body or the operation of the received message, which its transaction has as columns. */
function leadOf({ bodyHash, opcode }: ByMessageFilter): Lead | null {
  if (bodyHash !== undefined)
    return { along: isAlong(sql`t.in_body_hash`, sql`${bodyHash}`), by: shortKey(sql`t.in_body_hash`) }
  if (opcode === undefined) return null
  return { along: sql`t.in_opcode >= ${opcode} and t.in_opcode <= ${opcode}`, by: sql`t.in_opcode` }
}

const leadOfAccount = (account: SqlText): Lead => ({
  along: isAlong(sql`t.account`, account),
  by: shortKey(sql`t.account`),
})

/** With a body or an operation alone. */
function contentConditions({ bodyHash, opcode }: ByMessageFilter): SqlText[] {
  if (bodyHash === undefined) return opcode === undefined ? [] : [sql`t.in_opcode = ${opcode}`]
  return [isHash(sql`t.in_body_hash`, bodyHash), ...(opcode === undefined ? [] : [isOpcodeOfBody(bodyHash, opcode)])]
}

/** Conditions on the received message but for its source. No transaction receives a message that leaves the chain. */
function takenConditions({ bodyHash, opcode, destination }: ByMessageFilter): SqlText[] {
  const parts: SqlText[] = []
  if (bodyHash !== undefined) parts.push(isMet(sql`t.in_body_hash = ${bodyHash}`))
  if (opcode !== undefined)
    parts.push(bodyHash === undefined ? isMet(sql`t.in_opcode = ${opcode}`) : isOpcodeOfBody(bodyHash, opcode))
  if (destination !== undefined) parts.push(destination === null ? sql`false` : isMet(sql`t.account = ${destination}`))
  return parts
}

type Ends = Pick<ByMessageFilter, 'source' | 'destination'>

const TAKEN_KEYS = sql`t.hash, t.lt, t.account`

/** Of few messages, each with its transaction, looked up one after the other. */
function takenOf(messages: SqlText, where: readonly SqlText[], { order, request }: Listed): SqlText {
  const from = sql`(${messages}) m
    cross join lateral (select * from transactions one where one.in_msg_hash = m.hash offset 0) t`
  return sql`select ${TAKEN_KEYS} from ${from} ${whereAll(where)}
    ${orderBy(order.slice(0, 1), sql`t`)} ${boundsOfPart(request, 'with ties')}`
}

/** True where the received message is from this source: as a value, so that messages are not joined. */
const isFrom = (source: ByMessageFilter['source']): SqlText[] =>
  source === undefined
    ? []
    : [
        isMet(
          sql`(select ${sql.join(messageEndConditions({ source }), ' and ')} from messages m where m.hash = t.in_msg_hash)`,
        ),
      ]

/** Keys of transactions that received one of the messages. */
function taken(filter: ByMessageFilter, listed: Listed): SqlText {
  const { order, request } = listed
  const { source, destination } = filter
  const after = afterOf(listed)
  const lead = leadOf(filter)
  if (destination === null) return sql`select ${TAKEN_KEYS} from transactions t where false`
  if (lead === null) {
    const messages = sql`select m.hash from messages m where ${sql.join(messageConditions(filter), ' and ')}`
    return takenOf(messages, [...takenConditions(filter), ...after], listed)
  }
  if (source === undefined && destination === undefined)
    return sql`select ${TAKEN_KEYS} from transactions t where ${sql.join([...contentConditions(filter), ...after], ' and ')}
      ${orderBy(order.slice(0, 1), sql`t`)} ${boundsOfPart(request, 'with ties')}`
  return takenWithEnd(filter, lead, listed)
}

/** Along the index of the account that received them, or of what they have in common. */
function takenWithEnd(filter: ByMessageFilter, lead: Lead, listed: Listed): SqlText {
  const { order, request } = listed
  const { source, destination } = filter
  const after = afterOf(listed)
  const own = takenConditions(filter)
  const rest = [...own, ...isFrom(source)]
  const direction = directionOf(order)
  const walk = ({ along, by }: Lead, more: readonly SqlText[]) => sql`select * from transactions t
    where ${sql.join([along, ...after, ...more], ' and ')} order by ${by} ${direction}, t.lt ${direction}`
  const page = (first: Lead) => (isWanted: SqlText) =>
    sql`select ${TAKEN_KEYS} from (${walk(first, [...rest, isWanted])} ${boundsOfPart(request, 'with ties')}) t`
  const near = (rows: SqlText) => sql`select ${TAKEN_KEYS} from (${rows}) t
    where ${sql.join(rest, ' and ')} ${orderBy(order, sql`t`)} ${boundsOfPart(request)}`
  if (destination !== undefined) {
    const ofAccount = leadOfAccount(sql`${destination}`)
    const counted = sql`select from transactions t where ${sql.join([lead.along, ...after], ' and ')}`
    const all = fewFirst({ counted, few: page(lead), many: page(ofAccount) })
    return nearFirst({ along: walk(ofAccount, []), near, all }, request)
  }
  const few = (isWanted: SqlText) => takenOf(saidOf(filter, isWanted), [...own, ...after], listed)
  const all = fewFirst({ counted: COUNTED_OF_END, few, many: page(lead) })
  return nearFirst({ along: walk(lead, []), near, all }, request)
}

/** The end whose messages are looked through, should these be few. */
const endOf = ({ source, destination }: Ends): Ends => (source === undefined ? { destination } : { source })

const OF_END = sql`of_end`

/** Its messages, read once for all that counts them or looks through them; some of them where there are more than few. */
function ofEnd(filter: ByMessageFilter): SqlText {
  const end = endOf(filter)
  const name = end.source === undefined ? 'destination' : 'source'
  return sql`select m.hash, m.source, m.destination, m.body_hash, m.opcode, m.out_tx_hash, m.out_lt from messages m
    where ${sql.join(messageConditions(end, name), ' and ')} limit ${MOST_FEW + 1}`
}

const COUNTED_OF_END = sql`select from ${OF_END} m where true`

/** Those of a source that have the body or the operation: of the others no transactions are looked up. */
function saidOf({ bodyHash, opcode }: ByMessageFilter, isWanted: SqlText): SqlText {
  const content = bodyHash === undefined ? sql`m.opcode = ${opcode ?? null}` : sql`m.body_hash = ${bodyHash}`
  return sql`select * from ${OF_END} m where ${isMet(content)} and ${isWanted}`
}

const SENT_KEYS = sql`m.out_tx_hash as hash, m.out_lt as lt, m.source as account`

/** Keys of transactions in rows of messages, each once. */
const senders = (messages: SqlText, listed: Listed): SqlText =>
  sql`select distinct t.hash, t.lt, t.account from (${messages}) t ${whereAll(afterOf(listed))}
    ${orderBy(listed.order, sql`t`)} ${boundsOfPart(listed.request)}`

/** Keys of transactions that sent one of the messages, each once. */
function sent(filter: ByMessageFilter, listed: Listed): SqlText {
  const { order, request } = listed
  const { bodyHash, source, destination } = filter
  const [byTime] = order
  // A message without a source was sent by no transaction.
  if (source === null) return sql`select ${SENT_KEYS} from messages m where false`
  if (bodyHash === undefined || byTime === undefined) {
    const where = [...messageConditions(filter), sql`m.out_lt is not null`]
    return senders(sql`select ${SENT_KEYS} from messages m where ${sql.join(where, ' and ')}`, listed)
  }
  const column = { ...byTime, name: 'out_lt' }
  const start = request.after === null ? sql`m.out_lt >= 0` : fromKey(column, request.after[0] ?? null, sql`m`)
  const rest = messageEndConditions({ source, destination })
  const steps = (isWanted: SqlText[]) => senders(stepsOf(bodyHash, rest, [start, ...isWanted], listed), listed)
  if (rest.length === 0) return steps([])
  const direction = directionOf(order)
  const along = sql`select * from messages m where ${isAlong(sql`m.body_hash`, sql`${bodyHash}`)} and ${start}
    order by ${shortKey(sql`m.body_hash`)} ${direction}, m.out_lt ${direction}`
  const near = (first: SqlText) =>
    senders(sql`select ${SENT_KEYS} from (${first}) m where ${sql.join(rest, ' and ')}`, listed)
  const own = sql.join([isMet(sql`m.body_hash = ${bodyHash}`), ...rest, start], ' and ')
  const few = (isWanted: SqlText) =>
    senders(sql`select ${SENT_KEYS} from ${OF_END} m where ${own} and ${isWanted}`, listed)
  const all = fewFirst({ counted: COUNTED_OF_END, few, many: (isWanted) => steps([isWanted]) })
  return nearFirst({ along, near, all }, request)
}

/**
 * The messages with a body of as many logical times as a page can have transactions: from one time to the next along the index. A
 * transaction may send hundreds of them, so that no number of messages is enough for a page.
 */
function stepsOf(bodyHash: Uint8Array, rest: SqlText[], start: SqlText[], { order, request }: Listed): SqlText {
  const direction = directionOf(order)
  const along = [isAlong(sql`m.body_hash`, sql`${bodyHash}`), ...rest]
  const next = (from: readonly SqlText[]) => sql`(select m.out_lt as lt from messages m
    where ${sql.join([...along, ...from], ' and ')}
    order by ${shortKey(sql`m.body_hash`)} ${direction}, m.out_lt ${direction} limit 1)`
  const further = sql`m.out_lt ${sql.raw(order[0]?.direction === 'desc' ? '<' : '>')} s.lt`
  const own = sql.join([isHash(sql`m.body_hash`, bodyHash), ...rest, sql`m.out_lt = s.lt`], ' and ')
  // One more: at the time of a key there may be none left.
  return sql`with recursive steps as (
      select 1 as place, f.lt from ${next(start)} f
      union all
      select s.place + 1, n.lt from steps s cross join lateral ${next([further])} n
        where s.place <= ${request.limit + request.offset + 1}::int4
    ) select m.* from steps s cross join lateral (select ${SENT_KEYS} from messages m where ${own} offset 0) m`
}

export type End = 'taken' | 'sent'

/** A filter by opcode means received messages only, as in the reference. */
export function endsOf({ opcode, direction }: ByMessageFilter): readonly End[] {
  if (opcode !== undefined) return direction === 'out' ? [] : ['taken']
  return direction === 'in' ? ['taken'] : direction === 'out' ? ['sent'] : ['taken', 'sent']
}

/** Keys of the transactions that received or sent the messages, each once, no fewer than a page can have. */
export function takenOrSent(filter: ByMessageFilter, order: RowOrder, request: PageRequest): SqlText {
  const keysOf = { taken, sent }
  const parts = endsOf(filter).map((end) => sql`(${keysOf[end](filter, { order, request })})`)
  const keys = sql.join(parts, ' union ')
  const { source, destination } = filter
  return source === undefined && destination === undefined
    ? keys
    : sql`with ${OF_END} as materialized (${ofEnd(filter)}) select * from (${keys}) t`
}
