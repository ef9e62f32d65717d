// A column of many rows as an array in PostgreSQL's binary form: a head of 20 bytes, then each element behind its length of
// 4 bytes, -1 for null. Values are written as they come, so that no second list of them is made.

import type { SqlValue } from '../database.ts'

interface Form {
  readonly oid: number
  /** Bytes a value takes at most. */
  most(value: SqlValue): number
  /** How many it took. */
  write(into: Buffer, value: SqlValue, at: number): number
}

const integer = (oid: number, size: number, write: (into: Buffer, value: number, at: number) => void): Form => ({
  oid,
  most: () => size,
  write(into, value, at) {
    write(into, Number(value), at)
    return size
  },
})

const MOST_UTF8 = 3
const text = (oid: number): Form => ({
  oid,
  most: (value) => MOST_UTF8 * String(value).length,
  write: (into, value, at) => into.write(String(value), at),
})

const FORMS = {
  bool: integer(16, 1, (into, value, at) => void into.writeInt8(value, at)),
  int2: integer(21, 2, (into, value, at) => void into.writeInt16BE(value, at)),
  int4: integer(23, 4, (into, value, at) => void into.writeInt32BE(value, at)),
  int8: {
    oid: 20,
    most: () => 8,
    write(into, value, at) {
      into.writeBigInt64BE(typeof value === 'bigint' ? value : BigInt(Number(value)), at)
      return 8
    },
  },
  bytea: {
    oid: 17,
    most: (value) => asBytes(value).length,
    write(into, value, at) {
      const bytes = asBytes(value)
      into.set(bytes, at)
      return bytes.length
    },
  },
  text: text(25),
  json: text(114),
} satisfies Readonly<Record<string, Form>>

export type BinaryType = keyof typeof FORMS

export const isBinaryType = (type: string): type is BinaryType => Object.hasOwn(FORMS, type)

function asBytes(value: SqlValue): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw new TypeError('The value of a bytea column is not a Uint8Array')
}

const HEAD = 20
const MIN_ROOM = 256
const NULL_LENGTH = -1

/** The buffer size for a column that is expected to have so many bytes. */
export const roomFor = (bytes: number): number => Math.max(MIN_ROOM, HEAD + bytes)

/** One buffer for all columns of a statement: for a few rows, allocating takes longer than writing. */
export class ColumnRoom {
  readonly #bytes: Buffer
  #taken = 0

  constructor(bytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(bytes)
  }

  take(bytes: number): Buffer {
    const start = this.#taken
    this.#taken += bytes
    return this.#bytes.subarray(start, this.#taken)
  }
}

export class BinaryColumn {
  readonly #form: Form
  #bytes: Buffer
  #at = HEAD
  #count = 0
  #hasNull = 0

  /** Moves to a larger buffer when `room` is full. */
  constructor(type: BinaryType, room: Buffer) {
    this.#form = FORMS[type]
    this.#bytes = room
  }

  /** Bytes so far. */
  get size(): number {
    return this.#at
  }

  /** Throws when the value is not of the column's type. */
  push(value: SqlValue): void {
    this.#count++
    if (value === null) {
      this.#hasNull = 1
      this.#makeRoom(4)
      this.#at = this.#bytes.writeInt32BE(NULL_LENGTH, this.#at)
      return
    }
    this.#makeRoom(4 + this.#form.most(value))
    const size = this.#form.write(this.#bytes, value, this.#at + 4)
    this.#at = this.#bytes.writeInt32BE(size, this.#at) + size
  }

  /** The finished parameter; the statement casts it to an array of the type. Call it last. */
  finish(): Uint8Array {
    const bytes = this.#bytes
    bytes.writeInt32BE(1, 0)
    bytes.writeInt32BE(this.#hasNull, 4)
    bytes.writeInt32BE(this.#form.oid, 8)
    bytes.writeInt32BE(this.#count, 12)
    bytes.writeInt32BE(1, 16)
    return bytes.subarray(0, this.#at)
  }

  #makeRoom(more: number): void {
    const needed = this.#at + more
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, needed))
    larger.set(this.#bytes.subarray(0, this.#at))
    this.#bytes = larger
  }
}
