// Arrays in the form PostgreSQL sends them itself: a head, then each element with its length before it.

import type { SqlValue } from '../database.ts'

interface Form {
  readonly oid: number
  /** Of an element that is not null. */
  size(value: SqlValue): number
  write(into: Buffer, value: SqlValue, at: number): void
}

const integer = (oid: number, size: number, write: (into: Buffer, value: number, at: number) => void): Form => ({
  oid,
  size: () => size,
  write: (into, value, at) => write(into, Number(value), at),
})

const text = (oid: number): Form => ({
  oid,
  size: (value) => Buffer.byteLength(String(value)),
  write: (into, value, at) => void into.write(String(value), at),
})

const FORMS = {
  bool: integer(16, 1, (into, value, at) => void into.writeInt8(value, at)),
  int2: integer(21, 2, (into, value, at) => void into.writeInt16BE(value, at)),
  int4: integer(23, 4, (into, value, at) => void into.writeInt32BE(value, at)),
  int8: {
    oid: 20,
    size: () => 8,
    write: (into, value, at) =>
      void into.writeBigInt64BE(typeof value === 'bigint' ? value : BigInt(Number(value)), at),
  },
  bytea: {
    oid: 17,
    size: (value) => asBytes(value).length,
    write: (into, value, at) => into.set(asBytes(value), at),
  },
  text: text(25),
  json: text(114),
} satisfies Readonly<Record<string, Form>>

export type BinaryType = keyof typeof FORMS

export const isBinaryType = (type: string): type is BinaryType => Object.hasOwn(FORMS, type)

function asBytes(value: SqlValue): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw new TypeError('A value of a bytea column that is no Uint8Array')
}

const HEAD = 20

/** One parameter, for a place that is cast to an array of `type`. Throws when a value is none of that type. */
export function binaryArray(type: BinaryType, values: readonly SqlValue[]): Uint8Array {
  const form: Form = FORMS[type]
  let length = HEAD
  for (const value of values) length += 4 + (value === null ? 0 : form.size(value))
  // Not from the shared pool: it is handed to another thread whole.
  const bytes = Buffer.from(new ArrayBuffer(length))
  let at = HEAD
  let hasNull = 0
  for (const value of values) {
    if (value === null) {
      hasNull = 1
      at = bytes.writeInt32BE(-1, at)
      continue
    }
    const size = form.size(value)
    at = bytes.writeInt32BE(size, at)
    form.write(bytes, value, at)
    at += size
  }
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(hasNull, 4)
  bytes.writeInt32BE(form.oid, 8)
  bytes.writeInt32BE(values.length, 12)
  bytes.writeInt32BE(1, 16)
  return bytes
}
