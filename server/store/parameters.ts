// A value as PostgreSQL reads it in text form. Both drivers send exactly this, so that no conversion of theirs, of dates,
// objects or nested lists, is ever used.

import type { SqlValue } from './database.ts'
import { textOfBytes } from './textOfBytes.ts'

/** A parameter as it goes over the wire: text, or bytes in binary form. */
export type WireValue = string | Uint8Array | null

/** bytea goes as bytes, all else as text, whose type the statement names. */
export function toWire(value: SqlValue): WireValue {
  if (value === null || value instanceof Uint8Array) return value
  return typeof value === 'object' ? arrayText(value) : scalarText(value)
}

function scalarText(value: boolean | number | bigint | string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('A number for SQL must be finite')
  return String(value)
}

/** The text of an array: `{1,NULL,"a b"}`. */
export function arrayText(values: readonly SqlValue[] | null): string | null {
  if (values === null) return null
  let text = '{'
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ','
    text += elementText(values[i] ?? null)
  }
  return `${text}}`
}

function elementText(value: SqlValue): string {
  if (value === null) return 'NULL'
  if (value instanceof Uint8Array) return `"\\\\x${textOfBytes(value, 'hex')}"`
  if (typeof value === 'object') return arrayText(value) ?? 'NULL'
  return typeof value === 'string' ? quoted(value) : scalarText(value)
}

const SPECIAL = /["\\]/
const quoted = (text: string): string => `"${SPECIAL.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`
