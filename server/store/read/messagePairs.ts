// Messages by two or more of these: a body or an operation, a source, a destination. Hardly any of many messages may fit all: the first
// ones along one index are looked through, then all along the index that has the fewest up to the page.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { fewFirst } from './fewFirst.ts'
import {
  byMessageLead,
  type MessageFilter,
  type MessageLead,
  messageConditions,
  messageListConditions,
  otherMessageConditions,
} from './messageFilter.ts'
import { isSoonFound, nearFirst } from './nearRows.ts'
import { type OrderColumn, orderBy, type RowOrder } from './order.ts'
import { boundsOfPart, type PageRequest } from './page.ts'
import { isMet } from './shortKey.ts'
import { alongSparsest, type IndexWalk } from './sparsest.ts'
import { isTimed } from './timesOfLts.ts'

/** Those with an index, from what is likely to be rare; none of an operation beside a body, which has one. */
function leadsOf({ bodyHash, opcode, source, destination }: MessageFilter): MessageLead[] {
  const content = bodyHash === undefined ? 'opcode' : 'bodyHash'
  const all: readonly (readonly [MessageLead, unknown])[] = [
    [content, bodyHash ?? opcode],
    ['destination', destination],
    ['source', source],
  ]
  return all.flatMap(([lead, value]) => (value === undefined ? [] : [lead]))
}

export const isMessagePair = (filter: MessageFilter): boolean =>
  filter.hashes === undefined && leadsOf(filter).length > 1

export interface PairList {
  readonly time: OrderColumn
  readonly order: RowOrder
  /** True of the messages from the start of the page on. */
  readonly start: SqlText
}

/** Conditions on the times alone. */
const within = ({ startUtime, endUtime, startLt, endLt }: MessageFilter, start: SqlText): readonly SqlText[] => [
  ...messageListConditions({ startUtime, endUtime, startLt, endLt }, null),
  start,
]

const orderOfLead = (lead: MessageLead, time: Pick<OrderColumn, 'name' | 'direction'>): SqlText => {
  const direction = sql.identifier(time.direction)
  return sql`order by ${byMessageLead(lead, direction)}m.${sql.identifier(time.name)} ${direction}`
}

function walksOf(filter: MessageFilter, { time, start }: PairList, request: PageRequest) {
  const along = (lead: MessageLead) =>
    sql`messages m where ${sql.join([...messageConditions({ [lead]: filter[lead] }, lead), ...within(filter, start)], ' and ')}`
  return (lead: MessageLead) => {
    const by = orderOfLead(lead, time)
    const rest = sql.join(otherMessageConditions(filter, lead), ' and ')
    return {
      all: sql`select * from ${along(lead)} ${by}`,
      rest,
      places: sql`select m.${sql.identifier(time.name)} as place from ${along(lead)} ${by}`,
      page: (isWanted: SqlText) =>
        sql`select * from ${along(lead)} and ${rest} and ${isWanted} ${by} ${boundsOfPart(request, 'with ties')}`,
    }
  }
}

/** By seconds bodies have no index: all messages with a body that few have are put in order. */
function bodyOrSparsest(filter: MessageFilter, { order, start }: PairList, request: PageRequest) {
  const isBody = sql.join(messageConditions({ bodyHash: filter.bodyHash }, 'bodyHash'), ' and ')
  const rest = sql.join([...within(filter, start), ...otherMessageConditions(filter, 'bodyHash')], ' and ')
  const byLt = orderOfLead('bodyHash', { name: 'created_lt', direction: 'asc' })
  return (many: (isWanted: SqlText) => SqlText) =>
    fewFirst({
      counted: sql`select from (select from messages m where ${isBody} ${byLt}) m where true`,
      few: (isWanted) => sql`select * from (select * from messages m where ${isBody} and ${isWanted} ${byLt} offset 0) m
        where ${rest} ${orderBy(order, sql`m`)} ${boundsOfPart(request)}`,
      many,
    })
}

/** The messages with a time, each whole; those of the last time all. */
export function messagePair(filter: MessageFilter, list: PairList, request: PageRequest): SqlText {
  const isBodyBySeconds = isTimed(filter) && filter.bodyHash !== undefined
  const leads = leadsOf(filter).filter((lead) => lead !== 'bodyHash' || !isBodyBySeconds)
  const walkOf = walksOf(filter, list, request)
  const sparsest = alongSparsest(leads.map(walkOf), list.time.direction)
  const all = isBodyBySeconds ? bodyOrSparsest(filter, list, request)(sparsest) : sparsest
  if (!isSoonFound(request)) return all(sql`true`)
  // Most bodies that come often are of many accounts.
  const account = walkOf(filter.source === undefined ? 'destination' : 'source')
  const near = (first: SqlText) =>
    sql`select * from (${first}) m where ${account.rest} ${orderBy(list.order, sql`m`)} ${boundsOfPart(request)}`
  return nearFirst({ along: account.all, near, all }, request, true)
}

/** Of messages from outside, which have indexes of their own: those for a destination with an operation. */
export const isOutsidePair = ({ hashes, bodyHash, opcode, destination }: MessageFilter): boolean =>
  hashes === undefined && bodyHash === undefined && opcode !== undefined && destination instanceof Uint8Array

/** These, each whole, by hash. */
export function outsidePair(
  { opcode, destination, direction }: MessageFilter,
  { order, start }: Omit<PairList, 'time'>,
  request: PageRequest,
): SqlText {
  const [byHash] = order
  const sort = byHash?.direction ?? 'asc'
  const columns = [
    { name: sql`m.destination`, value: sql`${destination ?? null}::bytea` },
    { name: sql`m.opcode`, value: sql`${opcode ?? null}::int4` },
  ]
  const rest = messageListConditions({ direction }, null)
  const walks = columns.map(({ name, value }, i): IndexWalk => {
    const along = sql`${name} >= ${value} and ${name} <= ${value} and m.created_lt is null and ${start}`
    const by = sql`order by ${name} ${sql.identifier(sort)}, m.hash ${sql.identifier(sort)}`
    const others = columns.flatMap((other, k) => (k === i ? [] : [isMet(sql`${other.name} = ${other.value}`)]))
    return {
      places: sql`select m.hash as place from messages m where ${along} ${by}`,
      page: (isWanted) => sql`select * from messages m where ${along} and ${sql.join([...others, ...rest], ' and ')}
        and ${isWanted} ${by} ${boundsOfPart(request)}`,
    }
  })
  return alongSparsest(walks, sort)(sql`true`)
}
