// What a column is: its type in SQL, and the value of a row in both directions. A definition names each column once; the row
// type, the insert, the select list and the decoder of its table are all made from that.

import type { SqlValue } from '../database.ts'
import { packText } from '../packed/packedText.ts'
import { unpackText } from '../packed/unpackedText.ts'

/**
 * - `row`: written with the row and read back with it.
 * - `search`: written with the row for filters and indexes, never read back.
 * - `generated`: the database computes it; a select has it for the order of its list.
 */
export type ColumnRole = 'row' | 'search' | 'generated'

export interface Column<T, R extends ColumnRole = 'row'> {
  /** As the migration spells it. */
  readonly sqlType: string
  readonly isNullable: boolean
  readonly role: R
  /** Null for the name of its field in small letters and `_`. */
  readonly sqlName: string | null
  encode(value: T): SqlValue
  /** Of what the driver returns. Throws TypeError when that is not of this column. */
  decode(value: unknown): T
}

/** Workchain plus 128, then the 32 address bytes: 33 bytes whose order is the order of accounts. */
export type AccountKey = Uint8Array

/** Amounts of extra currencies by id. */
export type ExtraCurrencyAmounts = Readonly<Record<string, string>>

/** A type whose values need no conversion to or from the driver. */
function plain<T extends SqlValue>(sqlType: string, isOne: (value: unknown) => value is T): Column<T> {
  return {
    sqlType,
    isNullable: false,
    role: 'row',
    sqlName: null,
    encode: (value) => value,
    decode(value) {
      if (isOne(value)) return value
      throw mismatch(sqlType, value)
    },
  }
}

const mismatch = (sqlType: string, value: unknown): TypeError =>
  new TypeError(`a value of type ${value === null ? 'null' : typeof value} where the column is ${sqlType}`)

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isBigint = (value: unknown): value is bigint => typeof value === 'bigint'
const isText = (value: unknown): value is string => typeof value === 'string'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'

const listOf =
  <T>(isOne: (value: unknown) => value is T) =>
  (value: unknown): value is readonly T[] =>
    Array.isArray(value) && value.every(isOne)

export const bytea = plain('bytea', isBytes)
export const bool = plain('bool', isBoolean)
export const int2 = plain('int2', isNumber)
export const int4 = plain('int4', isNumber)
export const int8 = plain('int8', isBigint)
/** Whole numbers of up to 256 bits. */
export const numeric = plain('numeric', isBigint)
export const text = plain('text', isText)
/** JSON as text: it goes into replies as it is. */
export const json = plain('json', isText)
export const byteaList = plain('bytea[]', listOf(isBytes))
export const int4List = plain('int4[]', listOf(isNumber))
export const textList = plain('text[]', listOf(isText))

/** 33 bytes; see `AccountKey`. */
export const account: Column<AccountKey> = bytea

/** An int8 whose values are all exact as a JavaScript number. */
export const exact: Column<number> = {
  ...int8,
  encode: (value) => value,
  decode: (value) => Number(int8.decode(value)),
}
/** An unsigned number of 32 bits, which is too large for int4. */
export const uint32 = exact

/** A text that is one of a few words. */
export function oneOf<const W extends readonly string[]>(...words: W): Column<W[number]> {
  const known = new Map<unknown, W[number]>(words.map((word) => [word, word]))
  return {
    ...text,
    encode: (value) => value,
    decode(value) {
      const word = known.get(value)
      if (word === undefined) throw mismatch(`one of ${words.join(', ')}`, value)
      return word
    },
  }
}

/** Common words are shorter in the database; rows of older indexes have them whole. */
export function shortened<const W extends string>(
  column: Column<W>,
  short: Partial<Readonly<Record<W, string>>>,
): Column<W> {
  const words = new Map<unknown, string>(
    Object.entries<string | undefined>(short).map(([word, code]) => [code, word] as const),
  )
  return {
    ...column,
    encode: (word) => short[word] ?? word,
    decode: (value) => column.decode(words.get(value) ?? value),
  }
}

/** A JSON column whose value is used by this program, so that it is parsed; `write` made every text it can have. */
export const parsedJson = <T>(parse: (text: string) => T, write: (value: T) => string): Column<T> => ({
  ...json,
  encode: write,
  decode: (value) => parse(json.decode(value)),
})

/** JSON as text that is packed in the database; rows of older indexes have it as it is. */
export const packedJson: Column<string> = {
  ...text,
  encode: (json) => packText({ text: json, marks: [], given: [] }) ?? json,
  decode(value) {
    const stored = text.decode(value)
    return stored.startsWith('{') ? stored : unpackText(stored, [])
  },
}

export const extraCurrencies = parsedJson<ExtraCurrencyAmounts>(JSON.parse, JSON.stringify)

export const nullable = <T, R extends ColumnRole>(column: Column<T, R>): Column<T | null, R> => ({
  ...column,
  isNullable: true,
  encode: (value) => (value === null ? null : column.encode(value)),
  decode: (value) => (value === null ? null : column.decode(value)),
})

/** A column whose name is not that of its field. */
export const named = <T, R extends ColumnRole>(sqlName: string, column: Column<T, R>): Column<T, R> => ({
  ...column,
  sqlName,
})

export const search = <T>(column: Column<T>): Column<T, 'search'> => ({ ...column, role: 'search' })

export const generated = <T>(column: Column<T>): Column<T, 'generated'> => ({ ...column, role: 'generated' })
