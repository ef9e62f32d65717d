// Writes the primitives of TL.

import { TlError } from './tlError.ts'

/** What three bytes of length can say. */
const MAX_BYTES = 2 ** 24 - 1
const LONG_LENGTH = 254
const FIRST_SIZE = 256
/** Beyond what is needed when bytes that are large make the array grow: for padding and for what comes last. */
const SPARE = 128

const refusal = (text: string): TlError => new TlError('value', text)

/** One for all numbers of 64 bits: a view of each message would take longer than most of its numbers. */
const WIDE = new DataView(new ArrayBuffer(8))

/** Arrays of the first size are parts of one, each handed out once: with storage of its own one takes a microsecond, and to be collected. */
const SHARED_BYTES = 64 * FIRST_SIZE
let shared = new Uint8Array(SHARED_BYTES)
let handedOut = 0

/** Zeros. What is written of no known size is a query, which lives no longer than its call: it may keep the others in memory. */
function firstArray(): Uint8Array {
  if (handedOut === SHARED_BYTES) {
    shared = new Uint8Array(SHARED_BYTES)
    handedOut = 0
  }
  handedOut += FIRST_SIZE
  return shared.subarray(handedOut - FIRST_SIZE, handedOut)
}

const headOf = ({ length }: Uint8Array): number => (length < LONG_LENGTH ? 1 : 4)

/** What a value of type `bytes` takes, with its length and padding. */
export const sizeOfBytes = (value: Uint8Array): number => (headOf(value) + value.length + 3) & ~3

export class Writer {
  #bytes: Uint8Array
  #at: number

  /** `before`: how many bytes to leave free in front; `size`: of the first array, where more than a little is expected. */
  constructor(before = 0, size?: number) {
    this.#bytes = size === undefined ? firstArray() : new Uint8Array(size)
    this.#at = before
  }

  /** Makes room for so many bytes, perhaps in another array, and returns where they begin. */
  #grow(count: number): number {
    const from = this.#at
    this.#at += count
    if (this.#at > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#at + SPARE, 2 * this.#bytes.length))
      larger.set(this.#bytes.subarray(0, from))
      this.#bytes = larger
    }
    return from
  }

  /** Little-endian. */
  #word(at: number, value: number): void {
    const bytes = this.#bytes
    bytes[at] = value
    bytes[at + 1] = value >>> 8
    bytes[at + 2] = value >>> 16
    bytes[at + 3] = value >>> 24
  }

  /** Signed or not: what counts is that it fits in 32 bits. */
  int(value: number): void {
    if (!Number.isInteger(value) || value < -(2 ** 31) || value >= 2 ** 32) throw refusal(`${value} is not of 32 bits`)
    this.#word(this.#grow(4), value)
  }

  uint(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** 32) throw refusal(`${value} is not of 32 bits`)
    this.#word(this.#grow(4), value)
  }

  /** Signed or not: what counts is that it fits in 64 bits. */
  long(value: bigint): void {
    if (value < -(2n ** 63n) || value >= 2n ** 64n) throw refusal(`${value} is not of 64 bits`)
    const at = this.#grow(8)
    WIDE.setBigInt64(0, value)
    this.#word(at, WIDE.getInt32(4))
    this.#word(at + 4, WIDE.getInt32(0))
  }

  int256(value: Uint8Array): void {
    if (value.length !== 32) throw refusal(`${value.length} bytes where 32 belong`)
    this.raw(value)
  }

  bool(value: boolean): void {
    this.uint(value ? 0x997275b5 : 0xbc799737)
  }

  bytes(value: Uint8Array): void {
    if (value.length > MAX_BYTES) throw refusal(`${value.length} bytes where ${MAX_BYTES} fit`)
    const head = headOf(value)
    const from = this.#grow(sizeOfBytes(value))
    if (head === 1) this.#bytes[from] = value.length
    else this.#word(from, value.length * 256 + LONG_LENGTH)
    this.#bytes.set(value, from + head)
  }

  string(value: string): void {
    this.bytes(Buffer.from(value, 'utf8'))
  }

  raw(value: Uint8Array): void {
    const at = this.#grow(value.length)
    this.#bytes.set(value, at)
  }

  /** What was written, with so many bytes left free behind it; the writer is not used again. */
  done(after = 0): Uint8Array {
    this.#grow(after)
    return this.#bytes.subarray(0, this.#at)
  }
}
