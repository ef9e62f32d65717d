// Actions of complete traces, by account, type, and end of their traces.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { type ActionRow, actions, TRACE_START_BYTES } from '../tables/actions.ts'
import type { AccountKey } from '../tables/column.ts'
import { messagesByHash } from './messagesByHash.ts'
import { nearFirst } from './nearRows.ts'
import { afterKey, byBytes, byNumber, fromKey, orderBy, type RowOrder, type SortDirection } from './order.ts'
import { bounds, boundsOfPart, type PagedRead, type PageRequest } from './page.ts'
import type { StoreRead } from './read.ts'
import { equalsAnyHash, equalsHash, hashStart, isAccount, shortKey } from './shortKey.ts'
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

const COLUMNS = actions.select('a')

interface HiddenActions {
  readonly types: readonly string[]
  /** Parts of actions of these types are left out. */
  readonly hiddenWithin: readonly string[]
}

const orderOf = (filter: ActionFilter, sort: SortDirection): RowOrder => {
  const unit = isTimed(filter) ? 'utime' : 'lt'
  return [
    byNumber(`trace_end_${unit}`, sort),
    byBytes('trace_id', sort),
    byNumber(`end_${unit}`, sort),
    byBytes('action_id', sort),
  ]
}

/** Bounds of the ends of the traces of the rows `alias`. */
const ends = (filter: ActionFilter, alias: SqlText): SqlText[] =>
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
function conditions(filter: ActionFilter): SqlText[] {
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

const namesIn = ({ actionIds, traceIds, txHashes, msgHashes, mcSeqno }: ActionFilter): number =>
  [actionIds, traceIds, txHashes, msgHashes, mcSeqno].filter((part) => part !== undefined).length

/** Whether few actions of all accounts match. */
const isNarrow = (filter: ActionFilter): boolean => namesIn(filter) > 0

/**
 * Whether the list has one way for all values: along one index in its order, or by what names few actions. Two lists of eighty types
 * take longer to plan than a page takes to read. What is named, and named otherwise or bounded as well, depends on the values.
 */
const isSteady = (filter: ActionFilter, { after }: PageRequest): boolean =>
  !isNarrow(filter) || (namesIn(filter) === 1 && after === null && ends(filter, sql`a`).length === 0)

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
function kindConditions({ types, exceptTypes, excludeSystem, isInitiator, hiddenWithin }: ActionFilter): SqlText {
  const parts = [sql`not w.ancestor_types && ${hiddenWithin}::text[]`]
  if (types !== undefined) parts.push(sql`w.type = any(${types}::text[])`)
  if (exceptTypes !== undefined) parts.push(sql`w.type <> all(${exceptTypes}::text[])`)
  if (excludeSystem === true) parts.push(sql`not w.is_system`)
  if (isInitiator === true) parts.push(sql`w.is_starter`)
  return sql.join(parts, ' and ')
}

/** Only in the masterchain an account has housekeeping. */
const hasSystem = ([workchain = 0]: AccountKey): boolean => workchain < 128

/** Whether nearly all actions of the account match. */
const isOfMost = (
  { types, isOfAllTypes, exceptTypes, isInitiator, excludeSystem }: ActionFilter,
  account: AccountKey,
) =>
  (types === undefined || isOfAllTypes === true) &&
  exceptTypes === undefined &&
  isInitiator !== true &&
  !(excludeSystem === true && hasSystem(account))

interface Listed {
  readonly order: RowOrder
  readonly request: PageRequest
}

/** Rows that the index has at a key and behind it. */
const atOrAfter = ([first]: RowOrder, { after }: PageRequest, alias: SqlText): SqlText[] =>
  first === undefined || after === null ? [] : [fromKey(first, after[0] ?? null, alias)]

/**
 * Actions `a` of rows `k` of accounts, no fewer than a page can have, in the order of the index: the page ends that scan. All of the
 * last time are among them, so that the server needs no order behind that of the index: where it expects few rows, it would sort all.
 */
function actionsOfAccounts(filter: ActionFilter, where: readonly SqlText[], { order, request }: Listed): SqlText {
  const after = request.after === null ? [] : [afterKey(order, request.after, sql`a`)]
  const own = sql.join([isActionOf(sql`a`, sql`k`), ...conditions(filter), ...after], ' and ')
  const rows = sql.join([...where, ...ends(filter, sql`k`), ...atOrAfter(order, request, sql`k`)], ' and ')
  // With `offset 0`: without it the planner joins all actions of the account, or reads the indexes of other conditions.
  return sql`select a.* from action_accounts k cross join lateral (
      select a.* from (select * from actions one where one.action_id = k.action_id offset 0) a where ${own} offset 0) a
    where ${rows} ${orderBy(order.slice(0, 1), sql`k`)} ${boundsOfPart(request, 'with ties')}`
}

const ofAccount = (filter: ActionFilter, account: AccountKey, listed: Listed): SqlText =>
  actionsOfAccounts(filter, [isAccount(sql`k.account`, sql`${account}`)], listed)

/** Of each kind as many rows as the page can have. */
function ofAccountByKind(filter: ActionFilter, account: AccountKey, listed: Listed): SqlText {
  const key = sql`${account}::bytea`
  const own = sql`${shortKey(withKind(sql`k.account`, sql`k`))} = ${shortKey(withKind(key, sql`w`))}
    and coalesce(k.account = ${key} and k.kind = w.kind, false)`
  return sql`select a.* from (select distinct w.kind from action_kinds w where ${kindConditions(filter)}) w
    cross join lateral (${actionsOfAccounts(filter, [own], listed)}) a`
}

const withKind = (account: SqlText, alias: SqlText): SqlText => sql`${account} || int4send(${alias}.kind)`

/**
 * Of each type no more rows than the page can have, and all of the last time, along the index of types alone, in which system actions
 * are separate: where the server expects few, it would sort all of the type.
 */
const ofKinds = (
  filter: ActionFilter,
  where: SqlText,
  { order, request }: Listed,
  mark = sql`true`,
): SqlText => sql`select a.*
  from (select distinct w.type, w.is_system from action_kinds w where ${kindConditions(filter)} and ${mark}) w cross join lateral (
    select a.* from actions a where a.type = w.type and a.is_system = w.is_system
      and ${where} ${orderBy(order.slice(0, 1), sql`a`)} ${boundsOfPart(request, 'with ties')}) a`

/** All but some types: those that are not of the system are first looked for among all of these, as many as three pages have. */
function ofMostKinds(filter: ActionFilter, where: SqlText, listed: Listed): SqlText {
  const { order, request } = listed
  const bounded = [sql`not a.is_system`, ...ends(filter, sql`a`), ...atOrAfter(order, request, sql`a`)]
  const along = sql`select a.* from actions a where ${sql.join(bounded, ' and ')} ${orderBy(order.slice(0, 1), sql`a`)}`
  const near = (first: SqlText) =>
    sql`select a.* from (${first}) a where ${where} ${orderBy(order, sql`a`)} ${boundsOfPart(request)}`
  const all = (isWanted: SqlText) => ofKinds(filter, where, listed, sql`not w.is_system and ${isWanted}`)
  const system = ofKinds(filter, where, listed, sql`w.is_system`)
  return sql`select * from (${nearFirst({ along, near, all }, request)}) a union all select * from (${system}) a`
}

/** A page of actions: by the ends of their traces, and within a trace by their own. */
export function actionsRead(filter: ActionFilter, request: PageRequest, sort: SortDirection): PagedRead<ActionRow> {
  const order = orderOf(filter, sort)
  const shape = { toValue: actions.decode, order, limit: request.limit }
  const { account, types, exceptTypes, isOfAllTypes, excludeSystem = false } = filter
  const a = sql`a`
  const marked = (statement: SqlText) => (isSteady(filter, request) ? sql.steady(statement) : statement)
  if (account !== undefined && !isNarrow(filter)) {
    const found = isOfMost(filter, account) ? ofAccount : ofAccountByKind
    const statement = sql`select ${COLUMNS} from (${found(filter, account, { order, request })}) a
      ${orderBy(order, a)} ${bounds(request)}`
    return { statement: marked(statement), ...shape }
  }
  const after = request.after === null ? [] : [afterKey(order, request.after, a)]
  const concerned = account === undefined ? [] : [sql`${account} = any(a.accounts)`]
  const whereOf = (own: ActionFilter) =>
    sql.join([...conditions(own), ...concerned, ...ends(filter, a), ...after], ' and ')
  const isOfSome = exceptTypes !== undefined || (types !== undefined && isOfAllTypes !== true)
  if (isOfSome && !isNarrow(filter)) {
    // Said again that they are not of the system, the planner would take the index of all that are not.
    const where = whereOf({ ...filter, excludeSystem: false })
    const found = exceptTypes === undefined ? ofKinds : ofMostKinds
    const statement = sql`select ${COLUMNS} from (${found(filter, where, { order, request })}) a ${orderBy(order, a)} ${bounds(request)}`
    return { statement: marked(statement), ...shape }
  }
  const where = whereOf(filter)
  if (isNarrow(filter) || excludeSystem) {
    const statement = sql`select ${COLUMNS} from actions a where ${where} ${orderBy(order, a)} ${bounds(request)}`
    return { statement: marked(statement), ...shape }
  }
  // All actions, along the index of system actions and the index of the others.
  const part = (mark: SqlText) =>
    sql`(select * from actions a where ${mark} and ${where} ${orderBy(order, a)} ${boundsOfPart(request)})`
  const parts = sql`${part(sql`not a.is_system`)} union all ${part(sql`a.is_system`)}`
  const statement = sql`select ${COLUMNS} from (${parts}) a ${orderBy(order, a)} ${bounds(request)}`
  return { statement: marked(statement), ...shape }
}

/** Actions of an account in some traces, the first ones of each, in the order they began. */
export const actionsOfAccountRead = (
  traceIds: readonly Uint8Array[],
  account: AccountKey,
  { types, hiddenWithin, most }: HiddenActions & { readonly most: number },
): StoreRead<ActionRow> => ({
  statement: sql`select ${COLUMNS} from unnest(${traceIds}::bytea[]) as wanted (trace_id) cross join lateral (
      select * from actions x where ${equalsHash(sql`x.trace_id`, sql`wanted.trace_id`)} and ${account} = any(x.accounts)
        and x.type = any(${types}::text[]) and not x.ancestor_types && ${hiddenWithin}::text[]
      order by x.start_lt, x.end_lt, x.action_id limit ${most}
    ) a order by a.trace_id, a.start_lt, a.end_lt, a.action_id`,
  toValue: actions.decode,
})

/** All actions of some traces that are not hidden, in the order they began. */
export const actionsOfTracesRead = (
  traceIds: readonly Uint8Array[],
  { types, hiddenWithin }: HiddenActions,
): StoreRead<ActionRow> => ({
  statement: sql`select ${COLUMNS} from actions a where ${equalsAnyHash(sql`a.trace_id`, traceIds)}
    and a.type = any(${types}::text[]) and not a.ancestor_types && ${hiddenWithin}::text[]
    order by a.trace_id, a.start_lt, a.end_lt, a.action_id`,
  toValue: actions.decode,
})
