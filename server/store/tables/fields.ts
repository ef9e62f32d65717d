// What a definition is made of: columns, and groups of columns; and the types of rows that follow.

import type { Column, ColumnRole } from './column.ts'

/** Columns that are one object in the row. */
export interface Group<C extends Columns> {
  readonly group: C
}

export const group = <C extends Columns>(columns: C): Group<C> => ({ group: columns })

export type Columns = Readonly<Record<string, Column<unknown, ColumnRole>>>
export type Fields = Readonly<Record<string, Column<unknown, ColumnRole> | Group<Columns>>>

type ValueOf<F> = F extends Group<infer C> ? RowOf<C> : F extends Column<infer T, ColumnRole> ? T : never
type FieldsOf<F extends Fields, R extends ColumnRole> = {
  [K in keyof F]: F[K] extends Column<unknown, infer Own> ? (Own extends R ? K : never) : K
}[keyof F]

/** A row as it is read. */
export type RowOf<F extends Fields> = { readonly [K in FieldsOf<F, 'row'>]: ValueOf<F[K]> }
/** A row as it is written: with what only filters need. */
export type WrittenRowOf<F extends Fields> = { readonly [K in FieldsOf<F, 'row' | 'search'>]: ValueOf<F[K]> }

export const isGroup = (field: Fields[string]): field is Group<Columns> => 'group' in field

/** The column of a field that has no name of its own. */
export const snakeCase = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
