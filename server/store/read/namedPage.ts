// A list together with names and tokens of the accounts in its rows: one statement, where the list has one plan for all values. Another
// one is planned for each call, which would take longer with all of this in it: what is next to it comes with a second statement.

import type { Sql, SqlRow, SqlText, StatementOptions } from '../database.ts'
import { sql } from '../sql.ts'
import { bytea } from '../tables/column.ts'
import type { TableColumn } from '../tables/table.ts'
import { MadeStatements } from './madeStatements.ts'
import { type Page, type PagedRead, pageIn } from './page.ts'
import type { StoreRead } from './read.ts'
import {
  byPosition,
  type ColumnTypes,
  isPart,
  NAME_SPANS,
  ofAlias,
  RowKinds,
  SIDE_PARTS,
  type Sides,
  type SideWishes,
  sidesIn,
} from './sides.ts'

/** Columns of rows, and those of them that are accounts or lists of accounts. */
export interface NamedColumns {
  readonly columns: readonly (Pick<TableColumn, 'name' | 'sqlType'> & Partial<Pick<TableColumn, 'role'>>)[]
  readonly accounts: readonly string[]
}

/** Rows of another table that belong to those of a list. */
export interface BesideRows extends NamedColumns {
  readonly name: string
  /** A select from `shown`, the rows of the page. */
  readonly select: SqlText
}

export interface NamedList<T> extends StoreRead<T> {
  readonly named: NamedColumns
  /** Columns of its rows that may come as spans; none that rows of names and tokens have as well. */
  readonly spans?: readonly string[]
  readonly beside?: readonly BesideRows[]
  /** Of a list of one table: selects its rows by their keys, and names the key. */
  readonly keyed?: { readonly key: string; readonly rows: (keys: readonly Uint8Array[]) => SqlText }
}

/** What a row of the list is. */
const LISTED = 0
const FIRST_BESIDE = 1 + Math.max(...Object.values(SIDE_PARTS))

/** Of the columns that are selected. */
const typesOf = ({ columns }: NamedColumns): ColumnTypes =>
  Object.fromEntries(columns.filter(({ role }) => role !== 'search').map(({ name, sqlType }) => [name, sqlType]))

const isList = (type: string | undefined): boolean => type?.endsWith('[]') === true

/** All accounts in the rows of a select, with nulls. */
export function accountsIn(from: string, named: NamedColumns): SqlText {
  const { accounts } = named
  const types = typesOf(named)
  const single = accounts.filter((name) => !isList(types[name])).map((name) => sql`x.${sql.identifier(name)}`)
  const lists = accounts.filter((name) => isList(types[name])).map((name) => sql` || x.${sql.identifier(name)}`)
  return sql`select v.account from ${sql.identifier(from)} x
    cross join lateral unnest(array[${sql.join(single)}]::bytea[]${sql.join(lists, '')}) v (account)`
}

interface Wanted extends SideWishes {
  readonly limit: number
  /** Whether the rows of the list are read as well. */
  readonly rows: boolean
}

const made = new MadeStatements()

function statementOf(list: Omit<NamedList<unknown>, 'toValue'>, wanted: Wanted): SqlText {
  const { statement } = list
  const { book, tokens, rows, limit } = wanted
  return made.of(statement, [book, tokens, rows], [...statement.values, limit], () => makeStatement(list, wanted))
}

function makeStatement(list: Omit<NamedList<unknown>, 'toValue'>, wanted: Wanted): SqlText {
  const { statement, named, spans = [], beside = [] } = list
  const { book, tokens, limit } = wanted
  const kinds = new RowKinds(Object.assign({}, ...[named, ...beside].map(typesOf)))
  const { parts, rows } = kinds.sides(wanted)
  const others = beside.map(({ name, select }) => sql`, ${sql.identifier(name)} as materialized (${select})`)
  const accounts = [accountsIn('shown', named), ...beside.map((one) => accountsIn(one.name, one))]
  const mentioned = sql`, mentioned as materialized (
    select distinct m.account from (${sql.join(accounts, ' union all ')}) m where m.account is not null)`
  const besideRows = beside.map(
    (one, i) => sql` union all select ${kinds.columns(FIRST_BESIDE + i, ofAlias('b', Object.keys(typesOf(one))))}
      from ${sql.identifier(one.name)} b`,
  )
  const whole = sql`with listed as materialized (
      select l.*, (row_number() over ())::int4 as position from (${statement}) l
    ), shown as materialized (select l.* from listed l where l.position <= ${limit}::int4)${sql.join(others, '')}
    ${book || tokens ? sql`${mentioned}${parts}` : sql.empty}
    select ${kinds.columns(LISTED, ofAlias('l', ['position', ...Object.keys(typesOf(named))]))}
    from listed l ${wanted.rows ? sql.empty : sql`where false`}
    ${sql.join(besideRows, '')} ${rows}`
  return sql.withSpans(statement.isSteady === true ? sql.steady(whole) : whole, [...NAME_SPANS, ...spans])
}

export interface NamedRows {
  /** In order. */
  readonly rows: readonly SqlRow[]
  /** Of each kind of `beside`, in no order. */
  readonly beside: readonly (readonly SqlRow[])[]
  readonly sides: Sides
}

const withParts = (rows: readonly SqlRow[], found: readonly SqlRow[], beside: readonly BesideRows[]): NamedRows => ({
  rows,
  beside: beside.map((_, i) => found.filter(isPart(FIRST_BESIDE + i))),
  sides: sidesIn(found),
})

async function readRows<T>(
  from: Sql,
  list: NamedList<T>,
  wanted: Wanted,
  options?: StatementOptions,
): Promise<NamedRows> {
  const { statement, keyed, named, beside = [] } = list
  if (statement.isSteady !== true && keyed !== undefined) {
    const rows = await from.query(statement, options)
    const isWhole = rows.length === 0 || (beside.length === 0 && !wanted.book && !wanted.tokens)
    if (isWhole) return withParts(rows, [], beside)
    const keys = rows.slice(0, wanted.limit).map((row) => bytea.decode(row[keyed.key]))
    const others = { statement: sql.steady(keyed.rows(keys)), named, beside }
    const found = await from.query(statementOf(others, { ...wanted, rows: false }), options)
    return withParts(rows, found, beside)
  }
  const rows = await from.query(statementOf(list, wanted), options)
  return withParts(rows.filter(isPart(LISTED)).sort(byPosition), rows, beside)
}

/** More than any list without a limit has. */
const ALL = 2 ** 31 - 1

/** All rows of a list without a limit. */
export async function readNamed<T>(
  from: Sql,
  list: NamedList<T>,
  wishes: SideWishes,
  options?: StatementOptions,
): Promise<{ readonly rows: readonly T[]; readonly sides: Sides }> {
  const { book, tokens } = wishes
  const { rows, sides } = await readRows(from, list, { book, tokens, rows: true, limit: ALL }, options)
  return { rows: rows.map(list.toValue), sides }
}

export type NamedPage<T> = Omit<NamedRows, 'rows'> & Page<T>

export async function readNamedPage<T>(
  from: Sql,
  read: NamedList<T> & PagedRead<T>,
  wishes: SideWishes,
  options?: StatementOptions,
): Promise<NamedPage<T>> {
  const { book, tokens } = wishes
  const wanted = { book, tokens, rows: true, limit: read.limit }
  const { rows, ...others } = await readRows(from, read, wanted, options)
  return { ...others, ...pageIn(read, rows) }
}
