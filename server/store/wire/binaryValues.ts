// From PostgreSQL's binary form of a column to its JavaScript value: the same values as `parsers.ts` makes of its text form. Bytes,
// which most columns are, come as they are, where text has two digits for each.

import { unknownType } from '../parsers.ts'
import { Repeated } from '../span.ts'

/** The value in `size` bytes from `at` on, which are there. */
export type ReadValue = (bytes: Buffer, at: number, size: number) => unknown

/** The server, or what stands before it, sent what its own description contradicts. */
export const contradiction = (): TypeError => new TypeError('Rows that are not as they were described')

export const int16At = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] ?? 0) << 24) >> 16) | (bytes[at + 1] ?? 0)

export const int32At = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)

const HIGH = 2 ** 32
/** Times `HIGH` it is a number that is exact. */
const MOST_HIGH = 2 ** 20

/** Half the time of `readBigInt64BE` for all but the largest numbers. */
function int8(bytes: Buffer, at: number): bigint {
  const high = int32At(bytes, at)
  if (high >= MOST_HIGH || high < -MOST_HIGH) return bytes.readBigInt64BE(at)
  return BigInt(high * HIGH + (int32At(bytes, at + 4) >>> 0))
}

/** Up to so many bytes, which all hashes and addresses have, are copied one by one: faster than a view of them and `set`. */
const FEW = 48

/** In a buffer of their own: a view would keep all that was received with it in memory. */
function bytesAt(bytes: Buffer, at: number, size: number): Uint8Array {
  const found = new Uint8Array(size)
  if (size > FEW) found.set(bytes.subarray(at, at + size))
  else for (let i = 0; i < size; i++) found[i] = bytes[at + i] ?? 0
  return found
}

const textAt: ReadValue = (bytes, at, size) => bytes.toString('utf8', at, at + size)

const NUMERIC_HEAD = 8
const NEGATIVE = 0x4000
/** Digits of a numeric are to the base of 10,000; three of them are added up as a number. */
const DIGIT = 10_000
const DIGITS = 10_000n ** 3n
const DIGITS_AT_ONCE = 3

/** Whole numbers only. */
function numeric(bytes: Buffer, at: number, size: number): bigint {
  const count = int16At(bytes, at)
  const weight = int16At(bytes, at + 2)
  const sign = int16At(bytes, at + 4)
  if (size !== NUMERIC_HEAD + 2 * count) throw contradiction()
  if ((sign !== 0 && sign !== NEGATIVE) || int16At(bytes, at + 6) !== 0)
    throw new SyntaxError('A numeric that is not a whole number')
  const digits = weight + 1
  let whole = 0n
  let part = 0
  for (let i = 0; i < digits; i++) {
    part = part * DIGIT + (i < count ? int16At(bytes, at + NUMERIC_HEAD + 2 * i) : 0)
    if ((digits - 1 - i) % DIGITS_AT_ONCE !== 0) continue
    whole = whole === 0n ? BigInt(part) : whole * DIGITS + BigInt(part)
    part = 0
  }
  return sign === NEGATIVE ? -whole : whole
}

const TEXT = 25
const TEXTS = 1009

const nothing: ReadValue = () => ''

/** Bytes of every value of a type, by its reader; types whose values differ in size have none. */
const SIZES = new Map<ReadValue, number>()

/** A reader of values that all have one size. */
function sized(bytesOfOne: number, read: (bytes: Buffer, at: number) => unknown): ReadValue {
  const reader: ReadValue = (bytes, at, size) => {
    if (size !== bytesOfOne) throw contradiction()
    return read(bytes, at)
  }
  SIZES.set(reader, bytesOfOne)
  return reader
}

/** Element and array by their numbers in `pg_type`, which are fixed. */
const TYPES: readonly (readonly [oid: number, arrayOid: number, read: ReadValue])[] = [
  [16, 1000, sized(1, (bytes, at) => bytes[at] !== 0)], // bool
  [17, 1001, bytesAt], // bytea
  [18, 1002, textAt], // "char"
  [19, 1003, textAt], // name
  [20, 1016, sized(8, int8)],
  [21, 1005, sized(2, int16At)], // int2
  [23, 1007, sized(4, int32At)], // int4
  [25, 1009, textAt], // text
  [26, 1028, sized(4, (bytes, at) => int32At(bytes, at) >>> 0)], // oid
  [114, 199, textAt], // json
  [700, 1021, sized(4, (bytes, at) => bytes.readFloatBE(at))], // float4
  [701, 1022, sized(8, (bytes, at) => bytes.readDoubleBE(at))], // float8
  [1042, 1014, textAt], // char(n)
  [1043, 1015, textAt], // varchar
  [1700, 1231, numeric],
  [2278, 0, nothing], // void
  // Behind the number of its form.
  [3802, 3807, (bytes, at, size) => textAt(bytes, at + 1, size - 1)], // jsonb
]

const readers = new Map<number, ReadValue>(TYPES.map(([oid, , read]) => [oid, read]))
for (const [oid, arrayOid, read] of TYPES)
  if (arrayOid !== 0) readers.set(arrayOid, (bytes, at, size) => arrayAt(bytes, { at, size, oid, read }))

/** What a code is said to be: a page of a hundred accounts has three hundred such texts, of few codes. */
const textLists = new Repeated((bytes: Buffer, at, size) =>
  Object.freeze(arrayAt(bytes, { at, size, oid: TEXT, read: textAt })),
)
readers.set(TEXTS, (bytes, at, size) => textLists.of(bytes, at, size))

/** A type that is not listed is an error of its first value. */
export const readerOf = (oid: number): ReadValue =>
  readers.get(oid) ??
  (() => {
    throw unknownType(oid)
  })

/** Bytes of every value of a type; null where they differ. */
export const bytesOfType = (oid: number): number | null => SIZES.get(readerOf(oid)) ?? null

const ARRAY_HEAD = 12
const BYTES_OF_DIMENSION = 8
const SIZE_BYTES = 4

interface ArrayPlace {
  readonly at: number
  readonly size: number
  /** Of its elements. */
  readonly oid: number
  readonly read: ReadValue
}

/** How many there are in each dimension: no more in all than there is room for. */
function countsIn(bytes: Buffer, start: number, size: number): number[] {
  const dimensions = int32At(bytes, start)
  if (dimensions < 0 || ARRAY_HEAD + dimensions * BYTES_OF_DIMENSION > size) throw contradiction()
  let most = (size - ARRAY_HEAD - dimensions * BYTES_OF_DIMENSION) / SIZE_BYTES
  return Array.from({ length: dimensions }, (_, depth) => {
    const count = int32At(bytes, start + ARRAY_HEAD + depth * BYTES_OF_DIMENSION)
    if (count < 1 || count > most) throw contradiction()
    most /= count
    return count
  })
}

/** Dimensions, a flag, the type of the elements; size and lower bound of each dimension; then the elements. */
function arrayAt(bytes: Buffer, { at: start, size: all, oid, read }: ArrayPlace): unknown[] {
  const counts = countsIn(bytes, start, all)
  if (int32At(bytes, start + 8) !== oid) throw new TypeError('An array of other elements than its type says')
  let at = start + ARRAY_HEAD + counts.length * BYTES_OF_DIMENSION
  const list = (depth: number): unknown[] => {
    const found: unknown[] = []
    const count = counts[depth] ?? 0
    for (let i = 0; i < count; i++) found.push(depth + 1 < counts.length ? list(depth + 1) : element())
    return found
  }
  const element = (): unknown => {
    const size = int32At(bytes, at)
    at += SIZE_BYTES
    if (size < 0) return null
    at += size
    if (at > start + all) throw contradiction()
    return read(bytes, at - size, size)
  }
  const found = list(0)
  if (at !== start + all) throw contradiction()
  return found
}
