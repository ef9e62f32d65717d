// What is said of the messages of a list, as conditions along an index or on each message.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import type { AccountKey } from '../tables/column.ts'
import { messagesByHash } from './messagesByHash.ts'
import { isAccount, isAlong, isMet, shortKey } from './shortKey.ts'
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

/** Messages `m` that have one of the hashes as their own or as their normalized one. */
const hasHash = (hashes: readonly Uint8Array[]): SqlText => sql`m.hash in (${messagesByHash(hashes, sql`m.hash`)})`

/** First columns of the indexes of messages. */
export type MessageLead = 'bodyHash' | 'source' | 'destination' | 'opcode'

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
export function messageConditions(
  filter: MessageFilter,
  lead: MessageLead | null = null,
  way: Is = isAlong,
): SqlText[] {
  const { hashes, bodyHash, source, destination, opcode } = filter
  const is = (name: MessageLead) => (name === lead ? way : isAccount)
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

// As a value: as a condition that one exists, the planner joins all messages with all transactions for a long page.
const IS_RECEIVED = sql`(select c.lt from transactions c where c.in_msg_hash = m.hash limit 1) is not null`

function directionConditions({ direction }: MessageFilter): SqlText[] {
  if (direction === undefined) return []
  return [direction === 'in' ? IS_RECEIVED : sql`m.out_tx_hash is not null`]
}

/** The same with its times and its transactions. */
export const messageListConditions = (filter: MessageFilter, lead: MessageLead | null, way?: Is): SqlText[] => [
  ...messageConditions(filter, lead, way),
  ...timesOf(filter),
  ...directionConditions(filter),
]

/** Conditions on the ends of messages `m` that are found otherwise. */
export const messageEndConditions = (ends: Pick<MessageFilter, 'source' | 'destination'>): SqlText[] =>
  (['source', 'destination'] as const)
    .filter((name) => ends[name] !== undefined)
    .map((name) => isMet(sql`m.${sql.identifier(name)} is not distinct from ${ends[name] ?? null}::bytea`))

/** Conditions on messages `m` that are found along the index of `lead` within their times: they lead to no other index. */
export function otherMessageConditions(filter: MessageFilter, lead: MessageLead): SqlText[] {
  const { bodyHash, opcode, source, destination } = filter
  const parts: SqlText[] = []
  if (bodyHash !== undefined && lead !== 'bodyHash') parts.push(isMet(sql`m.body_hash = ${bodyHash}`))
  if (opcode !== undefined && bodyHash !== undefined) parts.push(isOpcodeOfBody(bodyHash, opcode))
  else if (opcode !== undefined && lead !== 'opcode') parts.push(isMet(sql`m.opcode = ${opcode}`))
  const ends = { source, destination, [lead]: undefined }
  return [...parts, ...messageEndConditions(ends), ...directionConditions(filter)]
}

/** The column with an index by time that leads to the fewest messages; by seconds there is none of bodies. */
export function messageLeadOf(filter: MessageFilter): MessageLead | null {
  const { hashes, bodyHash, source, destination, opcode } = filter
  if (hashes !== undefined || (bodyHash !== undefined && isTimed(filter))) return null
  if (bodyHash !== undefined) return 'bodyHash'
  if (source !== undefined) return 'source'
  if (destination !== undefined) return 'destination'
  return opcode === undefined ? null : 'opcode'
}

const LEADS: Readonly<Record<MessageLead, SqlText>> = {
  bodyHash: shortKey(sql`m.body_hash`),
  source: shortKey(sql`m.source`),
  destination: shortKey(sql`m.destination`),
  opcode: sql`m.opcode`,
}

export const byMessageLead = (lead: MessageLead | null, direction: SqlText): SqlText =>
  lead === null ? sql.empty : sql`${LEADS[lead]} ${direction}, `
