// Actions of complete traces, by account, type, and end of their traces.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { type ActionRow, actions } from '../tables/actions.ts'
import type { AccountKey } from '../tables/column.ts'
import { afterKey, byBytes, byNumber, orderBy, type RowOrder, type SortDirection } from './order.ts'
import { bounds, boundsOfPart, type PagedRead, type PageRequest } from './page.ts'
import type { StoreRead } from './read.ts'
import { isAccount } from './shortKey.ts'
import { withinBounds } from './timesOfLts.ts'
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
}

const COLUMNS = actions.select('a')

/** Lists with a bound in seconds are ordered by seconds. */
const orderOf = ({ startUtime, endUtime }: ActionFilter, sort: SortDirection): RowOrder => {
  const unit = startUtime !== undefined || endUtime !== undefined ? 'utime' : 'lt'
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
    select hash, out_tx_hash from messages where hash = any(${hashes}::bytea[])
    union
    select hash, out_tx_hash from messages where hash_norm = any(${hashes}::bytea[])
  )
  select x.hash from named n join transactions x on x.in_msg_hash = n.hash
  union
  select n.out_tx_hash from named n where n.out_tx_hash is not null`

/** With one of the transactions. All transactions of an action are in its trace, which is found by its transactions. */
const withTransactions = (hashes: SqlText): SqlText =>
  sql`a.trace_id = any(array(select x.trace_id from transactions x where x.hash = any(${hashes})))
    and a.transactions && ${hashes}`

/** The filter as conditions on actions `a`, but for the account and the ends of traces. */
function conditions(filter: ActionFilter): SqlText[] {
  const { account, isInitiator, actionIds, traceIds, txHashes, msgHashes, mcSeqno } = filter
  const parts: SqlText[] = []
  if (actionIds !== undefined) parts.push(sql`a.action_id = any(${actionIds}::bytea[])`)
  if (traceIds !== undefined) parts.push(sql`a.trace_id = any(${traceIds}::bytea[])`)
  if (txHashes !== undefined) parts.push(withTransactions(sql`${txHashes}::bytea[]`))
  if (msgHashes !== undefined) parts.push(withTransactions(sql`array(${transactionsOfMessages(msgHashes)})`))
  if (mcSeqno !== undefined)
    parts.push(sql`a.trace_id = any(array(
      select k.trace_id from traces k where k.mc_seqno_end = ${mcSeqno} and k.state = 'complete'))`)
  if (account !== undefined && isInitiator === true)
    parts.push(sql`exists (select from transactions x where x.hash = a.trace_id and x.account = ${account})`)
  if (filter.types !== undefined) parts.push(sql`a.type = any(${filter.types}::text[])`)
  if (filter.exceptTypes !== undefined) parts.push(sql`a.type <> all(${filter.exceptTypes}::text[])`)
  if (filter.excludeSystem === true) parts.push(sql`not a.is_system`)
  parts.push(sql`not a.ancestor_types && ${filter.hiddenWithin}::text[]`)
  return parts
}

/** Whether few actions of all accounts match. */
const isNarrow = ({ actionIds, traceIds, txHashes, msgHashes, mcSeqno }: ActionFilter): boolean =>
  [actionIds, traceIds, txHashes, msgHashes, mcSeqno].some((part) => part !== undefined)

/**
 * Whether nearly all actions fit: those of every type the caller understands. Two lists of eighty types, in both parts of
 * the statement, take longer to plan than a page takes to read.
 */
const isOfAll = ({ types, hiddenWithin, excludeSystem, ...others }: ActionFilter): boolean =>
  (types === undefined || types === hiddenWithin) && Object.values(others).every((other) => other === undefined)

/**
 * Only masterchain accounts, whose first byte is below 0x80, have system actions, and an index without them. It is of whole
 * accounts.
 */
function ofAccount(account: AccountKey, excludeSystem: boolean): readonly SqlText[] {
  const [workchain = 0] = account
  if (excludeSystem && workchain < 128)
    return [sql`k.account = ${account}`, sql`k.account < '\\x80'::bytea and not k.is_system`]
  const own = isAccount(sql`k.account`, sql`${account}`)
  return excludeSystem ? [own, sql`not k.is_system`] : [own]
}

/** Up to this many types get a select each; with more, most of the list matches anyway. */
const MOST_TYPES_APART = 8

/** A page of actions: by the ends of their traces, and within a trace by their own. */
export function actionsRead(filter: ActionFilter, request: PageRequest, sort: SortDirection): PagedRead<ActionRow> {
  const order = orderOf(filter, sort)
  const shape = { toValue: actions.decode, order, limit: request.limit }
  const { account, types, excludeSystem = false } = filter
  const k = sql`k`
  const a = sql`a`
  const after = (alias: SqlText) => (request.after === null ? [] : [afterKey(order, request.after, alias)])
  if (account !== undefined && !isNarrow(filter)) {
    // The index of an account has its actions in the order of the list: the page ends that scan.
    const where = sql.join([...ofAccount(account, excludeSystem), ...ends(filter, k), ...after(k)], ' and ')
    // Lateral with `offset 0`: without it the planner joins all actions of the account and sorts them.
    const statement = sql`select ${COLUMNS} from action_accounts k cross join lateral (
        select a.* from actions a where a.trace_id = k.trace_id and a.action_id = k.action_id
          and ${sql.join(conditions(filter), ' and ')} offset 0
      ) a where ${where} ${orderBy(order, k)} ${bounds(request)}`
    return { statement, ...shape }
  }
  const concerned = account === undefined ? [] : [sql`${account} = any(a.accounts)`]
  const where = sql.join([...conditions(filter), ...concerned, ...ends(filter, a), ...after(a)], ' and ')
  if (types !== undefined && types.length <= MOST_TYPES_APART && !isNarrow(filter)) {
    // Of each type no more rows than the page can have, along the index of types, in which system actions are separate.
    const statement = sql`select ${COLUMNS} from unnest(${[...new Set(types)]}::text[]) as wanted (type)
      cross join ${excludeSystem ? sql`(values (false))` : sql`(values (false), (true))`} as part (is_system)
      cross join lateral (
        select a.* from actions a where a.type = wanted.type and a.is_system = part.is_system
          and ${where} ${orderBy(order, a)} ${boundsOfPart(request)}
      ) a ${orderBy(order, a)} ${bounds(request)}`
    return { statement, ...shape }
  }
  const isSteady = isOfAll(filter)
  if (isNarrow(filter) || excludeSystem) {
    const statement = sql`select ${COLUMNS} from actions a where ${where} ${orderBy(order, a)} ${bounds(request)}`
    return { statement: isSteady ? sql.steady(statement) : statement, ...shape }
  }
  // All actions, along the index of system actions and the index of the others.
  const part = (mark: SqlText) =>
    sql`(select * from actions a where ${mark} and ${where} ${orderBy(order, a)} ${boundsOfPart(request)})`
  const parts = sql`${part(sql`not a.is_system`)} union all ${part(sql`a.is_system`)}`
  const statement = sql`select ${COLUMNS} from (${parts}) a ${orderBy(order, a)} ${bounds(request)}`
  return { statement: isSteady ? sql.steady(statement) : statement, ...shape }
}

/** All actions of some traces that are not hidden, in the order they began. */
export const actionsOfTracesRead = (
  traceIds: readonly Uint8Array[],
  { types, hiddenWithin }: { readonly types: readonly string[]; readonly hiddenWithin: readonly string[] },
): StoreRead<ActionRow> => ({
  statement: sql`select ${COLUMNS} from actions a where a.trace_id = any(${traceIds}::bytea[])
    and a.type = any(${types}::text[]) and not a.ancestor_types && ${hiddenWithin}::text[]
    order by a.trace_id, a.start_lt, a.end_lt, a.action_id`,
  toValue: actions.decode,
})
