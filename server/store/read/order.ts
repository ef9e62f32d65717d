// The order of a list, and keys of rows in it. A page begins after the key of a row, found by comparing columns and not by
// counting rows: new rows move nothing, and a deep page costs what the first one does.

import type { SqlRow, SqlText, SqlValue } from '../database.ts'
import { ByteSpan } from '../span.ts'
import { sql } from '../sql.ts'

export type SortDirection = 'asc' | 'desc'

export interface OrderColumn {
  /** As in its table. */
  readonly name: string
  /** A `number` is an int8, an `amount` a numeric of up to 256 bits, a `text` one that is compared byte by byte. */
  readonly kind: 'number' | 'amount' | 'bytes' | 'text'
  readonly direction: SortDirection
  /** Nulls are first in `desc` and last in `asc`, as PostgreSQL has them. */
  readonly nullable?: boolean
}

/** Unique: no two rows are equal in all of these columns. */
export type RowOrder = readonly OrderColumn[]

export type PageKeyPart = bigint | string | Uint8Array | null

/** The values of a row in the columns of an order. */
export type PageKey = readonly PageKeyPart[]

/** Thrown for a key that does not fit the order it is used with. */
export class PageKeyMismatch extends Error {
  constructor() {
    super('a key of another order')
    this.name = 'PageKeyMismatch'
  }
}

export const byNumber = (name: string, direction: SortDirection): OrderColumn => ({ name, kind: 'number', direction })
export const byBytes = (name: string, direction: SortDirection): OrderColumn => ({ name, kind: 'bytes', direction })
export const byAmount = (name: string, direction: SortDirection): OrderColumn => ({ name, kind: 'amount', direction })
export const byText = (name: string, direction: SortDirection): OrderColumn => ({ name, kind: 'text', direction })

const named = (alias: SqlText, { name }: OrderColumn): SqlText => sql`${alias}.${sql.identifier(name)}`

/** `order by` all columns, of the rows `alias`. */
export const orderBy = (order: RowOrder, alias: SqlText): SqlText =>
  sql`order by ${sql.join(order.map((column) => sql`${named(alias, column)} ${sql.identifier(column.direction)}`))}`

const INT64 = 2n ** 63n
const LARGEST = 2n ** 256n

const fits = ({ kind, nullable }: OrderColumn, part: PageKeyPart): boolean => {
  if (part === null) return nullable === true
  if (kind === 'bytes') return part instanceof Uint8Array
  if (kind === 'text') return typeof part === 'string'
  const least = kind === 'number' ? -INT64 : -LARGEST
  return typeof part === 'bigint' && part >= least && part < -least
}

/** Throws PageKeyMismatch unless the key fits this order. */
export function checkKey(order: RowOrder, key: PageKey): void {
  if (key.length !== order.length) throw new PageKeyMismatch()
  order.forEach((column, i) => {
    if (!fits(column, key[i] ?? null)) throw new PageKeyMismatch()
  })
}

const beyond = ({ direction }: OrderColumn): SqlText => sql.raw(direction === 'asc' ? '>' : '<')

/** One condition an index can begin at, although the columns go different ways: `a <= x and (a < x or b > y)`. */
function stepwise(order: RowOrder, key: PageKey, alias: SqlText): SqlText {
  const [column, ...columns] = order
  const [part = null, ...parts] = key
  if (!column) return sql`false`
  const name = named(alias, column)
  if (columns.length === 0) return sql`${name} ${beyond(column)} ${typed(column, part)}`
  const further = sql`${name} ${beyond(column)} ${typed(column, part)}`
  return sql`${name} ${beyond(column)}= ${typed(column, part)} and (${further} or ${stepwise(columns, parts, alias)})`
}

/** Two parameters compared with each other have no type of their own. */
const typed = ({ kind }: OrderColumn, part: SqlValue): SqlText => sql`${part}::${sql.identifier(TYPES[kind])}`

const TYPES = { number: 'int8', amount: 'numeric', bytes: 'bytea', text: 'text' } as const

/** True of the rows `alias` after a key, which must have no null. Throws PageKeyMismatch. */
export function afterKey(order: RowOrder, key: PageKey, alias: SqlText): SqlText {
  checkKey(order, key)
  const [first] = order
  if (!first || order.some(({ direction }) => direction !== first.direction)) return stepwise(order, key, alias)
  const columns = sql.join(order.map((column) => named(alias, column)))
  const values = sql.join(order.map((column, i) => typed(column, key[i] ?? null)))
  return sql`(${columns}) ${beyond(first)} (${values})`
}

/** True of the rows `alias` at a key in one column, and behind it. */
export const fromKey = (column: OrderColumn, part: PageKeyPart, alias: SqlText): SqlText =>
  sql`${named(alias, column)} ${beyond(column)}= ${typed(column, part)}`

/** True of the rows `alias` that equal a key in one column. */
export const equalsKey = (column: OrderColumn, part: PageKeyPart, alias: SqlText): SqlText =>
  sql`${named(alias, column)} = ${typed(column, part)}`

/** The key of a row, which must have been selected with the columns of the order. */
export const pageKeyOf = (order: RowOrder, row: SqlRow): PageKey =>
  order.map(({ name }) => {
    const value = row[name]
    if (typeof value === 'number') return BigInt(value)
    if (typeof value === 'bigint' || typeof value === 'string') return value
    if (value instanceof Uint8Array || value === null) return value
    // A copy: a view would keep all that was received with it.
    if (value instanceof ByteSpan) return new Uint8Array(value.source.subarray(value.at, value.end))
    throw new TypeError(`the column ${name} of the order was not selected`)
  })
