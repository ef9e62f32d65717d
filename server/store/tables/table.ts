// A table from its columns: what a row is, how it is written, selected and decoded.

import type { SqlRow, SqlText, SqlValue } from '../database.ts'
import { sql } from '../sql.ts'
import type { Column, ColumnRole } from './column.ts'
import { decoderOf } from './decoder.ts'
import { type Fields, isGroup, type RowOf, snakeCase, type WrittenRowOf } from './fields.ts'

export type RowFrom<T extends { readonly fields: Fields }> = RowOf<T['fields']>
export type WrittenRowFrom<T extends { readonly fields: Fields }> = WrittenRowOf<T['fields']>

/** One column of the database. */
export interface TableColumn {
  readonly name: string
  readonly sqlType: string
  readonly isNullable: boolean
  readonly role: ColumnRole
  /** The field of the row it belongs to. */
  readonly field: string
}

/** A column of a row that is written. */
export interface WrittenColumn<R> {
  readonly name: string
  readonly sqlType: string
  encode(row: R): SqlValue
}

/**
 * Which rows go when masterchain blocks are undone: those that came above the block, or those of rows of another table that go,
 * and with `orAbove` those that came late, above the block.
 * A table without it is set back by code of its own.
 */
export type Undo<Field extends string> =
  | { readonly above: Field }
  | { readonly with: AnyTable; readonly by: Field; readonly of?: string; readonly orAbove?: Field }

/** What all tables have, independent of their row type. */
export interface AnyTable {
  readonly name: string
  readonly columns: readonly TableColumn[]
  readonly undo: Undo<string> | null
}

/** What rows are inserted into. */
export interface Insertable<R> {
  readonly name: string
  /** Columns that are not written get their default. */
  readonly written: readonly WrittenColumn<R>[]
  /** What happens to a row whose key exists already; without it, the insert fails. */
  readonly onConflict: SqlText
}

export interface TableDefinition<F extends Fields> extends Insertable<WrittenRowOf<F>> {
  readonly fields: F
  readonly columns: readonly TableColumn[]
  /** Names columns. */
  readonly undo: Undo<string> | null
  /** The columns of a row, of the table by this alias. */
  select(alias: string, options?: { readonly except: readonly (keyof F & string)[] }): SqlText
  /** Of a row with the columns of `select`. Throws TypeError when one is missing or is not what the definition says. */
  readonly decode: (row: SqlRow) => RowOf<F>
}

/** `where` may compare the table's own name with `excluded`. */
export interface Replacement<F extends Fields> {
  readonly key: (keyof F & string) | readonly (keyof F & string)[]
  /** Only these fields change; all but the key by default. */
  readonly change?: readonly (keyof F & string)[]
  /** Fields that do not change, beside the key. */
  readonly except?: readonly (keyof F & string)[]
  readonly where?: SqlText
}

export interface TableOptions<F extends Fields> {
  /** `keep` leaves the existing row unchanged. */
  readonly onConflict?: 'keep' | Replacement<F>
  readonly undo?: Undo<keyof F & string>
}

/** A column and where its value is in a row. */
interface Slot extends TableColumn {
  readonly column: Column<unknown, ColumnRole>
  /** The field inside of a group. */
  readonly inner: string | null
}

function slotsOf(fields: Fields): Slot[] {
  return Object.entries(fields).flatMap(([field, one]) =>
    isGroup(one)
      ? Object.entries(one.group).map(([inner, column]) => slotOf(field, inner, column))
      : [slotOf(field, null, one)],
  )
}

function slotOf(field: string, inner: string | null, column: Column<unknown, ColumnRole>): Slot {
  const { sqlType, isNullable, role, sqlName } = column
  return { name: sqlName ?? snakeCase(inner ?? field), sqlType, isNullable, role, field, inner, column }
}

type AnyRow = Readonly<Record<string, unknown>>

const innerOf = (value: unknown, inner: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, inner) : undefined

const encoderOf = ({ column, field, inner }: Slot): ((row: AnyRow) => SqlValue) =>
  inner === null ? (row) => column.encode(row[field]) : (row) => column.encode(innerOf(row[field], inner))

export function table<const F extends Fields>(
  name: string,
  fields: F,
  options: TableOptions<F> = {},
): TableDefinition<F> {
  const slots = slotsOf(fields)
  return {
    name,
    fields,
    columns: slots.map(({ column, inner, ...one }) => one),
    written: slots
      .filter(({ role }) => role !== 'generated')
      .map((slot) => ({ name: slot.name, sqlType: slot.sqlType, encode: encoderOf(slot) })),
    onConflict: conflictClause(slots, options),
    undo: undoOf(slots, options),
    select: selectorOf(slots),
    decode: decoderOf(fields),
  }
}

/** Select lists are cached: otherwise each request would build its own. */
function selectorOf(slots: readonly Slot[]): TableDefinition<Fields>['select'] {
  const made = new Map<string, SqlText>()
  const selected = slots.filter(({ role }) => role !== 'search')
  return (alias, { except = [] } = { except: [] }) => {
    const name = [alias, ...except].join(' ')
    const known = made.get(name)
    if (known !== undefined) return known
    const columns = selected.filter(({ field }) => !except.includes(field))
    const list = sql.join(columns.map((slot) => sql`${sql.identifier(alias)}.${sql.identifier(slot.name)}`))
    made.set(name, list)
    return list
  }
}

const columnOf = (slots: readonly Slot[], field: string): string =>
  slots.find((slot) => slot.field === field)?.name ?? field

function undoOf<F extends Fields>(slots: readonly Slot[], { undo }: TableOptions<F>): Undo<string> | null {
  if (undo === undefined) return null
  if ('above' in undo) return { above: columnOf(slots, undo.above) }
  const by = columnOf(slots, undo.by)
  const late = undo.orAbove === undefined ? {} : { orAbove: columnOf(slots, undo.orAbove) }
  return { with: undo.with, by, of: undo.of ?? by, ...late }
}

function conflictClause<F extends Fields>(slots: readonly Slot[], { onConflict }: TableOptions<F>) {
  if (onConflict === undefined) return sql.empty
  if (onConflict === 'keep') return sql`on conflict do nothing`
  const { change, except = [], where } = onConflict
  const key: readonly string[] = typeof onConflict.key === 'string' ? [onConflict.key] : onConflict.key
  const isChanged = ({ field, role }: Slot) =>
    role !== 'generated' && ![...key, ...except].includes(field) && (change === undefined || change.includes(field))
  const changes = slots
    .filter(isChanged)
    .map((slot) => sql`${sql.identifier(slot.name)} = excluded.${sql.identifier(slot.name)}`)
  const names = key.map((one) => sql.identifier(columnOf(slots, one)))
  const condition = where === undefined ? sql.empty : sql` where ${where}`
  return sql`on conflict (${sql.join(names)}) do update set ${sql.join(changes)}${condition}`
}
