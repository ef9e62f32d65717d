// Many rows in one statement: each column goes in as one array, and `unnest` makes rows of them again, so that the text of the
// statement is the same for any number of rows. Arrays go in binary form: against their text form that is 1.5 times as fast on
// PostgreSQL and twice as fast on PGlite, and JSON is slower than both.

import { SlicedWork } from '../../fairness/index.ts'
import type { Sql, SqlText, SqlValue } from '../database.ts'
import { arrayText } from '../parameters.ts'
import { sql } from '../sql.ts'
import type { Insertable, WrittenColumn } from '../tables/table.ts'
import { BinaryColumn, ColumnRoom, isBinaryType, roomFor } from './binaryColumn.ts'
import { enqueue } from './enqueue.ts'

/** Bounds of one statement, whose rows are in memory a second time as bytes; larger statements are not faster. */
const MOST_ROWS = 5_000
const MOST_BYTES = 8 << 20

/** Maximum initial buffer of a column, in bytes. */
const MOST_ROOM = 1 << 20

/** Mean bytes of each column in the last statement of a table: the next rows are mostly as long. */
const usualBytes = new WeakMap<object, readonly number[]>()

/** The rows of one transaction are encoded table by table, all in one slice of each turn. */
interface Encoding {
  readonly slices: SlicedWork
  readonly last: Promise<void>
}

const encodings = new WeakMap<Sql, Encoding>()
const SUBJECT = 'rows of the index'

/**
 * Inserts rows in their order, inside a transaction: all of them or none. Resolves when the last statement is sent, before
 * its answer.
 */
export async function insertRows<R>(to: Sql, table: Insertable<R>, rows: readonly R[]): Promise<void> {
  if (rows.length === 0) return
  const { slices, last } = encodings.get(to) ?? {
    slices: new SlicedWork({ subject: SUBJECT }),
    last: Promise.resolve(),
  }
  const inserted = last.then(() => insertInSlices({ to, slices }, table, rows))
  encodings.set(to, { slices, last: inserted.catch(() => undefined) })
  await inserted
}

interface Target {
  readonly to: Sql
  readonly slices: SlicedWork
}

async function insertInSlices<R>({ to, slices }: Target, table: Insertable<R>, rows: readonly R[]): Promise<void> {
  const usual = usualBytes.get(table) ?? []
  for (let next = 0; next < rows.length; ) {
    const most = Math.min(MOST_ROWS, rows.length - next)
    const sizesOfRoom = table.written.map((_, i) => roomFor(Math.min(MOST_ROOM, most * (usual[i] ?? 0))))
    const room = new ColumnRoom(sizesOfRoom.reduce((sum, size) => sum + size, 0))
    const fillings = table.written.map((column, i) => fillingOf(column, room.take(sizesOfRoom[i] ?? 0)))
    let bytes = 0
    let count = 0
    for (const row of rows.slice(next, next + most)) {
      if (bytes >= MOST_BYTES) break
      if (slices.isDue) await slices.rest()
      count++
      bytes = 0
      for (const { column, encode } of fillings) {
        column.push(encode(row) ?? null)
        bytes += column.size
      }
    }
    next += count
    const sizes = fillings.map(({ column }) => Math.ceil(column.size / count))
    usualBytes.set(table, sizes)
    const statement = insertion(table, fillings)
    // Except for the last statement, its answer is awaited: at most one statement is in memory.
    if (next < rows.length) await to.query(statement)
    else enqueue(to, statement)
  }
}

interface Filling<R> {
  readonly column: BinaryColumn
  readonly encode: (row: R) => SqlValue
}

/**
 * Types without a binary form here go as text and are cast row by row: numeric, jsonb, and arrays, since `unnest` would take an
 * array of arrays apart down to its elements.
 */
function fillingOf<R>(column: WrittenColumn<R>, room: Buffer): Filling<R> {
  const { sqlType, encode } = column
  if (isBinaryType(sqlType)) return { column: new BinaryColumn(sqlType, room), encode }
  const encodeText = (row: R): SqlValue => {
    const value = encode(row)
    return Array.isArray(value) ? arrayText(value) : value
  }
  return { column: new BinaryColumn('text', room), encode: encodeText }
}

const insertions = new WeakMap<object, SqlText>()

function insertion<R>(table: Insertable<R>, fillings: readonly Filling<R>[]): SqlText {
  const known = insertions.get(table)
  const statement = known ?? insertionInto(table)
  if (known === undefined) insertions.set(table, statement)
  const columns = fillings.map(({ column }) => column.finish())
  return sql.refill(statement, columns)
}

function insertionInto<R>({ name, written, onConflict }: Insertable<R>): SqlText {
  const names = sql.join(written.map((column) => sql.identifier(column.name)))
  const arrays = written.map(
    ({ sqlType }) => sql`${null}::${sql.identifier(isBinaryType(sqlType) ? `${sqlType}[]` : 'text[]')}`,
  )
  const picks = written.map((column) =>
    isBinaryType(column.sqlType)
      ? sql.identifier(column.name)
      : sql`${sql.identifier(column.name)}::${sql.identifier(column.sqlType)}`,
  )
  return sql`insert into ${sql.identifier(name)} (${names}) select ${sql.join(picks)} from unnest(${sql.join(arrays)})
    as rows (${names}) ${onConflict}`
}
