// A page of one table, as every list of assets is asked for. Where a filter names several values, or one value in either
// of two columns, the rows of each lie in order in an index: the page is cut from those lists merged.

import type { Row, SqlText } from '../../database.ts'
import { sql } from '../../sql.ts'
import type { Fields, Table } from '../../tables/table.ts'
import { distinctValues, selectsOfValues, type ValueList } from '../merge.ts'
import { behind, byBytes, byNumber, type Direction, isAt, type Key, type Order, orderBy } from '../order.ts'
import { bounds, boundsOfPart, type PageAsk, type PagedRead, rowsByKeys } from '../page.ts'

/** Rows that any of the values finds, those of each by an index. */
export interface Lead {
  readonly values: readonly Uint8Array[]
  /** What finds the rows `t` of one value. */
  readonly where: (value: SqlText) => SqlText
  /** What the rows are read from when it is more than their table. */
  readonly from?: SqlText
}

type ListedTable<T> = Pick<Table<Fields>, 'name' | 'select'> & { readonly decode: (row: Row) => T }

export interface List<T> {
  /** With the columns of the order among those of its select. */
  readonly table: ListedTable<T>
  /** Its primary key. */
  readonly key: string
  readonly order: Order
  /** Many rows are the same in the first column of the order. */
  readonly tied?: boolean
  /** What holds of its rows `t`. */
  readonly conditions: readonly SqlText[]
  /** A row is in the list when any of these finds it; all of them are when there are none. */
  readonly leads: readonly Lead[]
}

const whereAll = (parts: readonly SqlText[]): SqlText =>
  parts.length === 0 ? sql.empty : sql`where ${sql.join(parts, ' and ')}`

/**
 * What has to hold behind a place, in one condition or in several of which one holds. The planner looks at nothing but
 * the first column of a place: where many rows are the same in it, it takes them for none, unless they are apart.
 */
function beginnings({ order, tied }: Pick<List<unknown>, 'order' | 'tied'>, after: Key | null): readonly SqlText[][] {
  if (after === null) return [[]]
  const whole = behind(order, after, sql`t`)
  const [column, ...columns] = order
  if (tied !== true || !column) return [[whole]]
  const [part = null, ...parts] = after
  return [[isAt(column, part, sql`t`), behind(columns, parts, sql`t`)], [behind([column], [part], sql`t`)]]
}

/** All rows. */
export const EVERY: Lead = { values: [new Uint8Array()], where: () => sql`true` }

export function listRead<T>(list: List<T>, ask: PageAsk): PagedRead<T> {
  const { order } = list
  const shape = { toValue: list.table.decode, order, limit: ask.limit }
  const [table, key] = [sql.identifier(list.table.name), sql.identifier(list.key)]
  const leads = list.leads.map((lead) => ({ ...lead, values: distinctValues(lead.values) }))
  const begun = beginnings(list, ask.after)
  const by = orderBy(order, sql`t`)
  const select = sql`select ${list.table.select('t')} from ${table} t`
  const [first] = leads
  const only = leads.length === 1 && first?.values.length === 1 ? first.values[0] : undefined
  if ((!first || only) && begun.length === 1) {
    const lead = first && only ? [first.where(sql`${only}`)] : []
    const where = whereAll([...lead, ...list.conditions, ...begun.flat()])
    return { statement: sql`${select} ${where} ${by} ${bounds(ask)}`, ...shape }
  }
  const places = sql.join(order.map(({ name }) => sql`t.${sql.identifier(name)}`))
  const listOf = ({ values, from, where }: Lead, beginning: readonly SqlText[]): ValueList => ({
    values,
    selectsOf: (value) => [
      sql`(select t.${key} as found, ${places} from ${from ?? sql`${table} t`}
        ${whereAll([where(value), ...list.conditions, ...beginning])} ${by} ${boundsOfPart(ask)})`,
    ],
  })
  const all = first ? leads : [EVERY]
  const parts = begun.flatMap((beginning) => selectsOfValues(all.map((lead) => listOf(lead, beginning))))
  // A row that two leads find is one row all the same.
  const merged = sql.join(parts, leads.length > 1 ? ' union ' : ' union all ')
  const keys = sql`select t.found from (${merged}) t ${by} ${bounds(ask)}`
  return { statement: rowsByKeys({ keys, select, alias: sql`t`, key, order }), ...shape }
}

/** The same in every index of a chain, and nothing that happens to a contract moves it. */
export const BY_ACCOUNT: Order = [byBytes('account', 'asc')]

/** As they last did something. */
export const byLastLt = (sort: Direction): Order => [byNumber('last_tx_lt', sort), byBytes('account', sort)]

/** A lead by a column an index begins with, if the filter was given. */
export const leadOf = (column: string, values: readonly Uint8Array[] | undefined): Lead[] =>
  values === undefined ? [] : [{ values, where: (value) => sql`t.${sql.identifier(column)} = ${value}` }]

/** True of the rows `t` that such a lead finds. */
export function isOneOf(column: string, values: readonly Uint8Array[]): SqlText {
  const [only] = values
  // An order goes on behind what is known to be the same.
  return values.length === 1 && only
    ? sql`t.${sql.identifier(column)} = ${only}`
    : sql`t.${sql.identifier(column)} = any(${values})`
}
