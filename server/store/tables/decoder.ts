// From rows of the driver to rows of a definition.
//
// The function is compiled from the names of columns and fields, which come from definitions in this folder alone: for a row of 22
// columns it takes 0.25 us, where a loop over the columns takes 1 us, a tenth of all the time that a page spends on its rows.

import { failureText } from '../../process/index.ts'
import type { SqlRow } from '../database.ts'
import { type Fields, isGroup, type RowOf, snakeCase } from './fields.ts'

interface Reader {
  readonly field: string
  /** Null for a group, which is decoded from the whole row. */
  readonly name: string | null
  readonly decode: (value: never) => unknown
}

/** The decoder of rows with these columns: of a table, or of a select that joins several. */
export function decoderOf<F extends Fields>(fields: F): (row: SqlRow) => RowOf<F> {
  const readers = Object.entries(fields)
    .filter(([, one]) => isGroup(one) || one.role === 'row')
    .map(([field, one]) => readerOf(field, one))
  const decode: (row: SqlRow) => RowOf<F> = compiled(readers)
  return (row) => {
    try {
      return decode(row)
    } catch (error) {
      throw new TypeError(`A row cannot be decoded: ${failureOf(fields, row) ?? String(error)}`, { cause: error })
    }
  }
}

function readerOf(field: string, one: Fields[string]): Reader {
  return isGroup(one)
    ? { field, name: null, decode: decoderOf(one.group) }
    : { field, name: one.sqlName ?? snakeCase(field), decode: one.decode }
}

// No `_` in front: `__proto__` in an object literal would be its prototype.
const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_]*$/

/** `(row) => ({ hash: decode0(row.hash), block: decode1(row) })`, with the decoders of the columns. */
function compiled(readers: readonly Reader[]): (row: SqlRow) => never {
  for (const name of readers.flatMap(({ field, name }) => [field, name ?? field]))
    if (!IDENTIFIER.test(name)) throw new TypeError(`${name} cannot be the name of a column or a field`)
  const parts = readers.map(({ field, name }, i) => `${field}: decode${i}(${name === null ? 'row' : `row.${name}`})`)
  const parameters = readers.map((_, i) => `decode${i}`)
  const make = new Function(...parameters, `return (row) => ({ ${parts.join(', ')} })`)
  return make(...readers.map(({ decode }) => decode))
}

/** The column that a decoder refuses, and why. */
function failureOf(fields: Fields, row: SqlRow): string | null {
  for (const [field, one] of Object.entries(fields)) {
    const name = isGroup(one) ? field : (one.sqlName ?? snakeCase(field))
    try {
      if (isGroup(one)) decoderOf(one.group)(row)
      else if (one.role === 'row') one.decode(row[name])
    } catch (error) {
      return `column ${name}: ${failureText(error)}`
    }
  }
  return null
}
