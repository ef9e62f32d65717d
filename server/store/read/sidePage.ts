// Pages of lists as they are written: columns of their rows as they were received, with names and tokens of the accounts in them. One
// statement, where the list is planned once; with one that is planned for each call, names are read by its caller: planned as often,
// the whole would take the database longer than the reads it saves.

import type { Sql, SqlRow, SqlText, StatementOptions } from '../database.ts'
import type { ByteSpan } from '../span.ts'
import { sql } from '../sql.ts'
import { decoderOf } from '../tables/decoder.ts'
import { MadeStatements } from './madeStatements.ts'
import type { RowOrder } from './order.ts'
import { type Page, type PagedRead, pageIn } from './page.ts'
import {
  byPosition,
  type ColumnTypes,
  isPart,
  NAME_SPANS,
  RowKinds,
  type Sides,
  type SideWishes,
  sidesIn,
} from './sides.ts'
import { span } from './spanColumn.ts'

/** Of a kind of list. */
export interface SidePageShape<T> {
  /** Names and types of the columns of a row, none of which is one of names and tokens in another type. */
  readonly types: ColumnTypes
  /** Those that are not columns of the list by the same name: of its rows `l`. */
  readonly columns: Readonly<Record<string, SqlText>>
  /** See `SqlText`. */
  readonly spans: readonly string[]
  /** Selects the accounts, each once, of those rows `l` of `listed` that have `is_shown`. */
  readonly mentioned: SqlText
  readonly toValue: (row: SqlRow) => T
}

export type SidePage<T> = Sides & Page<T>

export type ReadSidePage<T> = (
  from: Sql,
  read: Omit<PagedRead<unknown>, 'toValue'>,
  wishes: SideWishes,
  options?: StatementOptions,
) => Promise<SidePage<T>>

/** What a row of the list is. */
const LISTED = 0

type Bounds = Pick<PagedRead<unknown>, 'order' | 'limit'>

/** Marks a statement, whose list is in this order. */
type Mark = (statement: SqlText, order: RowOrder) => SqlText

export const sidePageReader = <T>(shape: SidePageShape<T>): ReadSidePage<T> =>
  readerOf(shape, (statement) => sql.withSpans(statement, [...NAME_SPANS, ...shape.spans]))

function readerOf<T>(
  { types, columns, mentioned, toValue }: Omit<SidePageShape<T>, 'spans'>,
  mark: Mark,
): ReadSidePage<T> {
  const kinds = new RowKinds(types)
  const own = Object.fromEntries(Object.keys(types).map((name) => [name, columns[name] ?? sql.raw(`l.${name}`)]))
  const rows = sql`select ${kinds.columns(LISTED, { ...own, position: sql`l.position` })} from listed l`
  const made = new MadeStatements()

  function makeStatement(list: SqlText, { order, limit }: Bounds, { book, tokens }: SideWishes): SqlText {
    const isSteady = list.isSteady === true
    const isNamed = isSteady && (book || tokens)
    const sides = kinds.sides(isNamed ? { book, tokens } : { book: false, tokens: false })
    const whole = sql`with listed as materialized (
        select p.*, (row_number() over ())::int4 as position, row_number() over () <= ${limit} as is_shown from (${list}) p
      )${isNamed ? sql`, mentioned as materialized (${mentioned})${sides.parts}` : sql.empty} ${rows} ${sides.rows}`
    return mark(isSteady ? sql.steady(whole) : whole, order)
  }

  return async (from, { statement, order, limit }, wishes, options) => {
    const whole = made.of(statement, [wishes.book, wishes.tokens], [limit, ...statement.values], () =>
      makeStatement(statement, { order, limit }, wishes),
    )
    const found = await from.query(whole, options)
    const listed = found.filter(isPart(LISTED)).sort(byPosition)
    return { ...pageIn({ order, limit, toValue }, listed), ...sidesIn(found) }
  }
}

const decodeWhole = decoderOf({ whole: span })

export interface WholeRows {
  readonly read: ReadSidePage<ByteSpan>
  /** How many a row has. */
  readonly columns: number
  /** The number of a column in such a row. */
  readonly columnOf: (name: string) => number
}

/** The same with rows as they were received, for `RowPlaces`. */
export function wholeRows(shape: Omit<SidePageShape<unknown>, 'spans' | 'toValue'>): WholeRows {
  const others = new RowKinds({}).names
  const names = new RowKinds(shape.types).names
  const mark: Mark = (statement, order) =>
    sql.wholeRows(sql.withSpans(statement, [...NAME_SPANS, 'hash']), [...others, ...order.map(({ name }) => name)])
  return {
    read: readerOf({ ...shape, toValue: (row) => decodeWhole(row).whole }, mark),
    columns: names.length,
    columnOf(name) {
      const number = names.indexOf(name)
      if (number < 0) throw new TypeError(`a row of the page has no column ${name}`)
      return number
    },
  }
}
