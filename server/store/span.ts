// A value as it was received.

/** Bytes in what was received with them. As long as it is kept, all of that is. */
export class ByteSpan {
  readonly source: Uint8Array
  readonly at: number
  readonly end: number

  constructor(source: Uint8Array, at: number, end: number) {
    this.source = source
    this.at = at
    this.end = end
  }

  get length(): number {
    return this.end - this.at
  }
}

/** Of a column of bytes or text, however it was read. */
export function spanOf(value: unknown): ByteSpan {
  if (value instanceof ByteSpan) return value
  if (value instanceof Uint8Array) return new ByteSpan(value, 0, value.length)
  if (typeof value !== 'string') throw new TypeError(`A value of type ${typeof value} where bytes or text are`)
  const bytes = Buffer.from(value)
  return new ByteSpan(bytes, 0, bytes.length)
}

// Most are accounts or hashes: a view of each for `toString` would take twice as long as its text.
const SCRATCH = Buffer.alloc(96)

function textOfSpan({ source, at, end }: ByteSpan, encoding: 'latin1' | 'base64'): string {
  const length = end - at
  if (length > SCRATCH.length) return Buffer.from(source.buffer, source.byteOffset + at, length).toString(encoding)
  for (let i = 0; i < length; i++) SCRATCH[i] = source[at + i] ?? 0
  return SCRATCH.toString(encoding, 0, length)
}

/** A character for each byte. */
export const charsOfSpan = (span: ByteSpan): string => textOfSpan(span, 'latin1')

export const base64OfSpan = (span: ByteSpan): string => textOfSpan(span, 'base64')

/** Slots: a value takes that of another one whose bytes lead to the same. */
const SLOTS = 256
/** Longer ones are made each time. */
const MOST_BYTES = 1024

interface Known<T> {
  readonly bytes: Uint8Array
  readonly value: T
}

/** By the first, the last and some bytes between. */
function slotOf(bytes: Uint8Array, at: number, size: number): number {
  let hash = size
  const step = Math.max(1, size >> 3)
  for (let i = 0; i < size; i += step) hash = (Math.imul(hash, 31) + (bytes[at + i] ?? 0)) | 0
  return (Math.imul(hash, 31) + (bytes[at + size - 1] ?? 0)) & (SLOTS - 1)
}

function isSame(known: Uint8Array, bytes: Uint8Array, at: number, size: number): boolean {
  if (known.length !== size) return false
  for (let i = 0; i < size; i++) if (known[i] !== bytes[at + i]) return false
  return true
}

/** What is made of bytes that come again and again, such as what the code of most accounts is. Callers share the values, which none may change. */
export class Repeated<T, B extends Uint8Array = Uint8Array> {
  readonly #known: (Known<T> | null)[] = new Array<Known<T> | null>(SLOTS).fill(null)
  readonly #make: (bytes: B, at: number, size: number) => T

  constructor(make: (bytes: B, at: number, size: number) => T) {
    this.#make = make
  }

  of(bytes: B, at: number, size: number): T {
    if (size > MOST_BYTES) return this.#make(bytes, at, size)
    const slot = slotOf(bytes, at, size)
    const known = this.#known[slot]
    if (known && isSame(known.bytes, bytes, at, size)) return known.value
    const value = this.#make(bytes, at, size)
    // A copy: the slice of a Buffer would keep all that was received with it.
    this.#known[slot] = { bytes: new Uint8Array(bytes.subarray(at, at + size)), value }
    return value
  }
}
