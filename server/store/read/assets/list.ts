// A page of one table, for all lists of assets. A filter by several values, or by a value in either of two columns, is a merge of
// lists that an index has in order.

import type { SqlRow, SqlText } from '../../database.ts'
import { sql } from '../../sql.ts'
import type { Fields } from '../../tables/fields.ts'
import type { TableDefinition } from '../../tables/table.ts'
import { distinctValues } from '../bytesKey.ts'
import { selectsOfValues, type ValueList } from '../merge.ts'
import type { BesideRows, NamedList } from '../namedPage.ts'
import { nearFirst } from '../nearRows.ts'
import {
  afterKey,
  byBytes,
  byNumber,
  equalsKey,
  orderBy,
  type PageKey,
  type RowOrder,
  type SortDirection,
} from '../order.ts'
import { bounds, boundsOfPart, type PagedRead, type PageRequest, rowsByKeys, whereAll } from '../page.ts'

/** A column, or a condition, that finds rows by value along an index. */
export interface Lead {
  readonly values: readonly Uint8Array[]
  /** The condition on rows `t` for one value. */
  readonly where: (value: SqlText) => SqlText
  /** Tables to read from, as `t`; by default the list's own. */
  readonly from?: SqlText
  /** The condition on rows that precede all of its own in the order: where these fill the page, its own are not searched for. */
  readonly precededBy?: (value: SqlText) => SqlText
  /** Whether several of its values may find the same row. */
  readonly mayRepeat?: boolean
}

type ListedTable<T> = Pick<TableDefinition<Fields>, 'name' | 'columns' | 'select'> & {
  readonly decode: (row: SqlRow) => T
}

interface RareCondition {
  /** Of rows `t` that are looked through. */
  readonly fits: SqlText
  /** The same, as an index finds such rows. */
  readonly along: SqlText
}

export interface IndexedList<T> {
  /** Its select must have the columns of the order. */
  readonly table: ListedTable<T>
  /** Its primary key. */
  readonly key: string
  readonly order: RowOrder
  /**
   * How many columns of the order the indexes have, if not all. A page of one value is then read in the order of these, with ties:
   * otherwise the planner, which expects few rows for each value, may sort all rows of one that has thousands.
   */
  readonly indexed?: number
  /** Whether many rows are equal in the first column of the order. */
  readonly tied?: boolean
  /**
   * The column of its lead, which an index has in front of the order, for a list from its start. Rows with one value are found as a
   * range, in the order of both: that is this index whatever the planner expects. Of equal ones it may expect few, and take another
   * index and sort them.
   */
  readonly along?: string | undefined
  /** Conditions on its rows `t`. */
  readonly conditions: readonly SqlText[]
  /** Another condition that many of the rows a lead finds may not fit. */
  readonly rarely?: RareCondition | undefined
  /** A row is in the list when any of these finds it; all rows are when there are none. */
  readonly leads: readonly Lead[]
  /** Its columns that are accounts, or lists of accounts, whose names and tokens are read with it. */
  readonly accounts?: readonly string[]
  readonly beside?: readonly BesideRows[]
  /** Whether one plan fits all values, with one value of each lead: along one index in this order, or by keys. */
  readonly isSteady?: boolean
}

export type ListedRead<T> = PagedRead<T> & NamedList<T>

/**
 * The rows after a key, as one condition or as two parts. The planner estimates a comparison of rows by its first column alone:
 * where many rows are equal in that, it expects almost none to match, unless equal and greater are separate parts.
 */
function startsOf(
  { order, tied }: Pick<IndexedList<unknown>, 'order' | 'tied'>,
  after: PageKey | null,
): readonly SqlText[][] {
  if (after === null) return [[]]
  const whole = afterKey(order, after, sql`t`)
  const [column, ...columns] = order
  if (tied !== true || !column) return [[whole]]
  const [part = null, ...parts] = after
  return [[equalsKey(column, part, sql`t`), afterKey(columns, parts, sql`t`)], [afterKey([column], [part], sql`t`)]]
}

/** Rows with one value in a column in front of the order: as a range, in the order of both. */
function rangeOf(
  { order, conditions }: Pick<IndexedList<unknown>, 'order' | 'conditions'>,
  column: string,
  value: Uint8Array,
): SqlText {
  const name = sql`t.${sql.identifier(column)}`
  const where = whereAll([sql`${name} >= ${value}`, sql`${name} <= ${value}`, ...conditions])
  return sql`${where} ${orderBy([byBytes(column, order[0]?.direction ?? 'asc'), ...order], sql`t`)}`
}

/** More rows of the other index are not put in order at once. */
const MOST_SORTED = 5000

/**
 * A page of rows of which many may not fit. The first of them are looked through; then all that the other index leads to, where these
 * are few. The planner has no statistics of partial indexes to see that by.
 */
function pageOfRare(
  { table, order, indexed, conditions }: Pick<IndexedList<unknown>, 'table' | 'order' | 'indexed' | 'conditions'>,
  where: readonly SqlText[],
  { rare, request }: { readonly rare: RareCondition; readonly request: PageRequest },
): SqlText {
  const { fits, along } = rare
  const from = sql`select * from ${sql.identifier(table.name)} t`
  const by = orderBy(order, sql`t`)
  const inIndex = orderBy(order.slice(0, indexed), sql`t`)
  const ofLead = sql`${from} ${whereAll(where)} ${inIndex}`
  const near = (first: SqlText) => sql`select * from (${first}) t where ${fits} ${by} ${boundsOfPart(request)}`
  const found = sql`${from} ${whereAll([along, ...conditions])}`
  const isFew = sql`(select f.is_few from few f)`
  const all = (isWanted: SqlText) => sql`with few as materialized (
      select count(*) <= ${MOST_SORTED} as is_few from (${found} limit ${MOST_SORTED + 1}) t)
    (select * from (${found} offset 0) t ${whereAll([...where, isWanted, isFew])} ${by} ${boundsOfPart(request)})
    union all (${from} ${whereAll([...where, fits, isWanted, sql`not ${isFew}`])} ${inIndex} ${boundsOfPart(request, 'with ties')})`
  return sql`select ${table.select('t')} from (${nearFirst({ along: ofLead, near, all }, request)}) t ${by} ${bounds(request)}`
}

/** That the page has room for more than the rows of a condition. */
function hasRoomAfter(
  condition: SqlText,
  { table, order, conditions }: Pick<IndexedList<unknown>, 'table' | 'order' | 'conditions'>,
  { after, limit, offset }: PageRequest,
): SqlText {
  const start = after === null ? [] : [afterKey(order, after, sql`t`)]
  const where = whereAll([condition, ...conditions, ...start])
  const from = sql.identifier(table.name)
  return sql`not exists (select from ${from} t ${where} ${orderBy(order, sql`t`)} offset ${limit + offset} limit 1)`
}

/** All rows. */
export const EVERY: Lead = { values: [new Uint8Array()], where: () => sql`true` }

export function listRead<T>(list: IndexedList<T>, request: PageRequest): ListedRead<T> {
  const { order, accounts = [], beside = [] } = list
  const named = { columns: list.table.columns, accounts }
  const table = sql.identifier(list.table.name)
  const key = sql.identifier(list.key)
  const select = sql`select ${list.table.select('t')} from ${table} t`
  const keyed = { key: list.key, rows: (keys: readonly Uint8Array[]) => sql`${select} where t.${key} = any(${keys})` }
  const shape = { toValue: list.table.decode, order, limit: request.limit, named, beside, keyed }
  const leads = list.leads.map((lead) => ({ ...lead, values: distinctValues(lead.values) }))
  const isSteady = list.isSteady === true && leads.every(({ values }) => values.length === 1)
  const marked = (statement: SqlText) => (isSteady ? sql.steady(statement) : statement)
  const starts = startsOf(list, request.after)
  const by = orderBy(order, sql`t`)
  const [first] = leads
  const only = leads.length === 1 && first?.values.length === 1 ? first.values[0] : undefined
  if (only && list.along !== undefined) {
    return { statement: marked(sql`${select} ${rangeOf(list, list.along, only)} ${bounds(request)}`), ...shape }
  }
  if ((!first || (only && first.from === undefined)) && starts.length === 1) {
    const lead = first && only ? [first.where(sql`${only}`)] : []
    const parts = [...lead, ...list.conditions, ...starts.flat()]
    if (list.rarely !== undefined)
      return { statement: pageOfRare(list, parts, { rare: list.rarely, request }), ...shape }
    const where = whereAll(parts)
    const inIndex = list.indexed === undefined ? null : orderBy(order.slice(0, list.indexed), sql`t`)
    const statement =
      inIndex === null
        ? sql`${select} ${where} ${by} ${bounds(request)}`
        : sql`select t.* from (${select} ${where} ${inIndex} ${boundsOfPart(request, 'with ties')}) t ${by} ${bounds(request)}`
    return { statement: marked(statement), ...shape }
  }
  const conditions = [...list.conditions, ...(list.rarely === undefined ? [] : [list.rarely.fits])]
  const orderColumns = sql.join(order.map(({ name }) => sql`t.${sql.identifier(name)}`))
  const roomFor = ({ precededBy }: Lead, value: SqlText): SqlText[] =>
    precededBy === undefined ? [] : [hasRoomAfter(precededBy(value), list, request)]
  const listOf = (lead: Lead, start: readonly SqlText[]): ValueList => ({
    values: lead.values,
    selectsOf: (value) => [
      sql`(select t.${key} as found, ${orderColumns} from ${lead.from ?? sql`${table} t`}
        ${whereAll([lead.where(value), ...conditions, ...start, ...roomFor(lead, value)])}
        ${by} ${boundsOfPart(request)})`,
    ],
  })
  const all = first ? leads : [EVERY]
  const parts = starts.flatMap((start) => selectsOfValues(all.map((lead) => listOf(lead, start))))
  // Duplicates are removed: two leads may find the same row.
  const isUnion = leads.length > 1 || (!only && first?.mayRepeat === true)
  const merged = sql.join(parts, ' union all ')
  const found = isUnion ? sql`(select distinct * from (${merged}) t)` : sql`(${merged})`
  const keys = sql`select t.found from ${found} t ${by} ${bounds(request)}`
  return { statement: marked(rowsByKeys({ keys, select, alias: sql`t`, key, order })), ...shape }
}

/** The same in every index of a chain, and no change of a contract moves it. */
export const BY_ACCOUNT: RowOrder = [byBytes('account', 'asc')]

/** By the contracts' last transactions. */
export const byLastLt = (sort: SortDirection): RowOrder => [byNumber('last_tx_lt', sort), byBytes('account', sort)]

/** A lead by a column that an index begins with; none without values. */
export const leadOf = (column: string, values: readonly Uint8Array[] | undefined): Lead[] =>
  values === undefined ? [] : [{ values, where: (value) => sql`t.${sql.identifier(column)} = ${value}` }]

/** Whether at most one of some filters is given. */
export const isSingle = (...filters: readonly (readonly unknown[] | undefined)[]): boolean =>
  filters.filter((one) => one !== undefined).length < 2

/** True of the rows `t` that such a lead finds. */
export function isOneOf(column: string, values: readonly Uint8Array[]): SqlText {
  const [only] = values
  // With `=` the planner knows that an index with this column first has the order of the next ones.
  return values.length === 1 && only
    ? sql`t.${sql.identifier(column)} = ${only}`
    : sql`t.${sql.identifier(column)} = any(${values})`
}
