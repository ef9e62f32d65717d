// What is said of actions, as conditions on them, on their kinds, and on the ends of their traces.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { TRACE_START_BYTES } from '../tables/actions.ts'
import { messagesByHash } from './messagesByHash.ts'
import { byBytes, byNumber, fromKey, type RowOrder, type SortDirection } from './order.ts'
import type { PageRequest } from './page.ts'
import { equalsAnyHash, hashStart } from './shortKey.ts'
import { isTimed, withinBounds } from './timesOfLts.ts'
import type { TraceFilter } from './traces.ts'

/** What is said of a trace holds for an action's own transactions and messages, and for the end of its trace. */
export interface ActionFilter extends TraceFilter {
  /** Only of traces that began with a transaction of the account. */
  readonly isInitiator?: boolean | undefined
  readonly actionIds?: readonly Uint8Array[] | undefined
  readonly types?: readonly string[] | undefined
  readonly exceptTypes?: readonly string[] | undefined
  /** Without those that only have system transactions. */
  readonly excludeSystem?: boolean | undefined
  /** Parts of actions of these types are left out. */
  readonly hiddenWithin: readonly string[]
  /** Whether the types are all that there are: then nearly all actions match, and a list is read along the index of all. */
  readonly isOfAllTypes?: boolean | undefined
}

export const orderOfActions = (filter: ActionFilter, sort: SortDirection): RowOrder => {
  const unit = isTimed(filter) ? 'utime' : 'lt'
  return [
    byNumber(`trace_end_${unit}`, sort),
    byBytes('trace_id', sort),
    byNumber(`end_${unit}`, sort),
    byBytes('action_id', sort),
  ]
}

/** Bounds of the ends of the traces of the rows `alias`. */
export const traceEnds = (filter: ActionFilter, alias: SqlText): SqlText[] =>
  withinBounds({ seconds: sql`${alias}.trace_end_utime`, lt: sql`${alias}.trace_end_lt` }, filter)

/** Hashes of the transactions that received or sent one of the messages. */
const transactionsOfMessages = (hashes: readonly Uint8Array[]): SqlText => sql`with named as (
    ${messagesByHash(hashes, sql`m.hash, m.out_tx_hash`)}
  )
  select x.hash from named n join transactions x on x.in_msg_hash = n.hash
  union
  select n.out_tx_hash from named n where n.out_tx_hash is not null`

/** With one of the transactions. All transactions of an action are in its trace, which is found by its transactions. */
const withTransactions = (hashes: SqlText): SqlText =>
  sql`${hashStart(sql`a.trace_id`)} = any(array(select ${hashStart(sql`x.trace_id`)} from transactions x where x.hash = any(${hashes})))
    and a.transactions && ${hashes}`

/** The filter as conditions on actions `a`, but for the account and the ends of traces. */
export function actionConditions(filter: ActionFilter): SqlText[] {
  const { account, isInitiator, actionIds, traceIds, txHashes, msgHashes, mcSeqno } = filter
  const parts: SqlText[] = []
  if (actionIds !== undefined) parts.push(sql`a.action_id = any(${actionIds}::bytea[])`)
  if (traceIds !== undefined) parts.push(equalsAnyHash(sql`a.trace_id`, traceIds))
  if (txHashes !== undefined) parts.push(withTransactions(sql`${txHashes}::bytea[]`))
  if (msgHashes !== undefined) parts.push(withTransactions(sql`array(${transactionsOfMessages(msgHashes)})`))
  if (mcSeqno !== undefined)
    parts.push(sql`${hashStart(sql`a.trace_id`)} = any(array(
      select ${hashStart(sql`k.trace_id`)} from traces k where k.mc_seqno_end = ${mcSeqno} and k.state = 'complete'))
      and coalesce(a.trace_mc_seqno_end = ${mcSeqno}, false)`)
  if (account !== undefined && isInitiator === true)
    parts.push(sql`exists (select from transactions x where x.hash = a.trace_id and x.account = ${account})`)
  // No condition when all types are wanted: it would compare each row with each type.
  if (filter.types !== undefined && filter.isOfAllTypes !== true) parts.push(sql`a.type = any(${filter.types}::text[])`)
  if (filter.exceptTypes !== undefined) parts.push(sql`a.type <> all(${filter.exceptTypes}::text[])`)
  if (filter.excludeSystem === true) parts.push(sql`not a.is_system`)
  // Most actions are part of no other one. To see that is cheaper than to compare two lists.
  parts.push(sql`(cardinality(a.ancestor_types) = 0 or not a.ancestor_types && ${filter.hiddenWithin}::text[])`)
  return parts
}

/** What `action_accounts` has of the id of a trace. */
export const traceStart = (traceId: SqlText): SqlText =>
  sql`substring(${traceId} for ${sql.raw(String(TRACE_START_BYTES))})`

/**
 * Actions `a` of rows `k` of accounts. By the id of the action, since a trace can have thousands of them: for the planner the other
 * condition is one of two.
 */
export const isActionOf = (a: SqlText, k: SqlText): SqlText =>
  sql`${a}.action_id = ${k}.action_id and coalesce(${traceStart(sql`${a}.trace_id`)} = ${k}.trace_start, false)`

/** Kinds that have an action which matches. */
export function kindConditions({
  types,
  exceptTypes,
  excludeSystem,
  isInitiator,
  hiddenWithin,
}: ActionFilter): SqlText {
  const parts = [sql`not w.ancestor_types && ${hiddenWithin}::text[]`]
  if (types !== undefined) parts.push(sql`w.type = any(${types}::text[])`)
  if (exceptTypes !== undefined) parts.push(sql`w.type <> all(${exceptTypes}::text[])`)
  if (excludeSystem === true) parts.push(sql`not w.is_system`)
  if (isInitiator === true) parts.push(sql`w.is_starter`)
  return sql.join(parts, ' and ')
}

export interface ListedActions {
  readonly order: RowOrder
  readonly request: PageRequest
}

/** Rows that the index has at a key and behind it. */
export const atOrAfter = ([first]: RowOrder, { after }: PageRequest, alias: SqlText): SqlText[] =>
  first === undefined || after === null ? [] : [fromKey(first, after[0] ?? null, alias)]
