// Actions of one account, along its index or those of its kinds of actions.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import type { AccountKey } from '../tables/column.ts'
import {
  type ActionFilter,
  actionConditions,
  atOrAfter,
  isActionOf,
  kindConditions,
  type ListedActions,
  traceEnds,
} from './actionFilter.ts'
import { isDeep } from './deepPage.ts'
import { nearFirst } from './nearRows.ts'
import { afterKey, orderBy } from './order.ts'
import { bounds, boundsOfPart } from './page.ts'
import { isAccount, isAlong, shortKey } from './shortKey.ts'

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

/**
 * Actions `a` of rows `k` of accounts, no fewer than a page can have, in the order of the index: the page ends that scan. All of the
 * last time are among them, so that the server needs no order behind that of the index: where it expects few rows, it would sort all.
 */
function actionsOfAccounts(
  filter: ActionFilter,
  where: readonly SqlText[],
  { order, request }: ListedActions,
): SqlText {
  const after = request.after === null ? [] : [afterKey(order, request.after, sql`a`)]
  const own = sql.join([isActionOf(sql`a`, sql`k`), ...actionConditions(filter), ...after], ' and ')
  const rows = sql.join([...where, ...traceEnds(filter, sql`k`), ...atOrAfter(order, request, sql`k`)], ' and ')
  // With `offset 0`: without it the planner joins all actions of the account, or reads the indexes of other conditions.
  return sql`select a.* from action_accounts k cross join lateral (
      select a.* from (select * from actions one where one.action_id = k.action_id offset 0) a where ${own} offset 0) a
    where ${rows} ${orderBy(order.slice(0, 1), sql`k`)} ${boundsOfPart(request, 'with ties')}`
}

const ofAccount = (filter: ActionFilter, account: AccountKey, listed: ListedActions): SqlText =>
  actionsOfAccounts(filter, [isAccount(sql`k.account`, sql`${account}`)], listed)

/** Of each kind as many rows as the page can have. */
function ofAccountByKind(filter: ActionFilter, account: AccountKey, listed: ListedActions): SqlText {
  const key = sql`${account}::bytea`
  return sql`select a.* from (select distinct w.kind from action_kinds w where ${kindConditions(filter)}) w
    cross join lateral (${actionsOfAccounts(filter, [isOfKind(key)], listed)}) a`
}

const withKind = (account: SqlText, alias: SqlText): SqlText => sql`${account} || int4send(${alias}.kind)`

/** Rows `k` of the account, of the kind of rows `w`. */
const isOfKind = (key: SqlText): SqlText =>
  sql`${shortKey(withKind(sql`k.account`, sql`k`))} = ${shortKey(withKind(key, sql`w`))}
    and coalesce(k.account = ${key} and k.kind = w.kind, false)`

/**
 * A page far behind the start, of some kinds: what is in front of it is counted among the rows of the account, and only its own actions
 * are read. These rows are first looked for among all of the account, then among those of each kind.
 */
function deepByKind(filter: ActionFilter, account: AccountKey, { order, request }: ListedActions): SqlText {
  const [first] = order
  if (first === undefined) throw new TypeError('the list has no order')
  const key = sql`${account}::bytea`
  const place = sql.identifier(first.name)
  const direction = sql.identifier(first.direction)
  const bounded = traceEnds(filter, sql`k`)
  const own = sql.join([isActionOf(sql`a`, sql`k`), ...actionConditions(filter)], ' and ')
  const by = sql`order by k.${place} ${direction}`
  const ends = boundsOfPart(request, 'with ties')
  const kinds = (isWanted: SqlText) =>
    sql`select distinct w.kind from action_kinds w where ${kindConditions(filter)} and ${isWanted}`
  const along = sql`select k.* from action_accounts k
    where ${sql.join([isAlong(sql`k.account`, key), ...bounded], ' and ')}
    order by ${shortKey(sql`k.account`)} ${direction}, k.${place} ${direction}`
  // Where two kinds have the same hash and one is not wanted, the action itself is looked at.
  const mixed = sql`array(select w.kind from action_kinds w group by w.kind
    having count(*) filter (where ${kindConditions(filter)}) between 1 and count(*) - 1)`
  const isWantedKind = sql`case when k.kind = any(${mixed}) then (select count(*) from (
      select * from actions one where one.action_id = k.action_id offset 0) a where ${own}) > 0 else true end`
  const near = (rows: SqlText) =>
    sql`select k.* from (${rows}) k where k.kind = any(array(${kinds(sql`true`)})) and ${isWantedKind} ${by} ${ends}`
  const all = (isWanted: SqlText) => sql`select k.* from (${kinds(isWanted)}) w cross join lateral (
      select k.* from action_accounts k
        where ${sql.join([isOfKind(key), ...bounded, isWantedKind], ' and ')} ${by} ${ends}) k
    ${by} ${ends}`
  const edge = sql`(select e.place from edge e)`
  const before = sql.raw(first.direction === 'asc' ? '<' : '>')
  return sql`with keys as materialized (${nearFirst({ along, near, all }, request)}),
      edge as materialized (select k.${place} as place from keys k ${by} limit 1 offset ${request.offset}),
      front as materialized (select count(*) as rows from keys k where k.${place} ${before} ${edge})
    select a.* from keys k cross join lateral (
      select a.* from (select * from actions one where one.action_id = k.action_id offset 0) a where ${own} offset 0) a
    where not (k.${place} ${before} ${edge}) ${orderBy(order, sql`a`)}
    limit ${request.limit + 1} offset (select ${request.offset}::int8 - f.rows from front f)`
}

/** A page of the account's actions. */
export function actionsOfAccount(filter: ActionFilter, account: AccountKey, listed: ListedActions): SqlText {
  const { order, request } = listed
  if (!isOfMost(filter, account) && isDeep(request)) return deepByKind(filter, account, listed)
  const found = isOfMost(filter, account) ? ofAccount : ofAccountByKind
  return sql`select a.* from (${found(filter, account, listed)}) a ${orderBy(order, sql`a`)} ${bounds(request)}`
}
