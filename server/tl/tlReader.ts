// Reads the primitives of TL from untrusted bytes. A length or a count allocates nothing before it is checked.

import { TlError } from './tlError.ts'

const TRUE = 0x997275b5
const FALSE = 0xbc799737

/** Servers list at most some hundreds of anything. */
const MAX_ITEMS = 2 ** 14

const hex32 = (id: number): string => `0x${id.toString(16).padStart(8, '0')}`

/** One for all numbers of 64 bits: a view of each message would take longer than most of its numbers. */
const WIDE = new DataView(new ArrayBuffer(8))

export class TlReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    // A plain view also of a Buffer: then every part handed out is one too.
    const isPlain = bytes.constructor === Uint8Array
    this.#bytes = isPlain ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  /** Moves on by so many bytes and returns where they begin. */
  #take(count: number): number {
    if (count > this.left) throw new TlError('underflow', `Not enough data to read at ${this.#at}`)
    const from = this.#at
    this.#at += count
    return from
  }

  /** Little-endian, at a place that was taken. */
  #wordAt(at: number): number {
    const bytes = this.#bytes
    return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)
  }

  int(): number {
    return this.#wordAt(this.#take(4))
  }

  uint(): number {
    return this.#wordAt(this.#take(4)) >>> 0
  }

  long(): bigint {
    const at = this.#take(8)
    WIDE.setInt32(0, this.#wordAt(at + 4))
    WIDE.setInt32(4, this.#wordAt(at))
    return WIDE.getBigInt64(0)
  }

  /** A copy: hashes are kept for long, and must not keep the answer they came in. */
  int256(): Uint8Array {
    const from = this.#take(32)
    return this.#bytes.slice(from, from + 32)
  }

  bool(): boolean {
    const id = this.uint()
    if (id !== TRUE && id !== FALSE) throw new TlError('constructor', `Bool expected at ${this.#at}`)
    return id === TRUE
  }

  /** A part of the bytes that are read, not a copy. */
  bytes(): Uint8Array {
    const head = this.#take(4)
    const first = this.#bytes[head] ?? 0
    if (first === 255) throw new TlError('length', `Can't fetch string, 255 found at ${this.#at}`)
    const isLong = first === 254
    const length = isLong ? this.#wordAt(head) >>> 8 : first
    // Padded to whole words; a short one begins in the word of its length.
    this.#take(isLong ? (length + 3) & ~3 : length & ~3)
    const from = head + (isLong ? 4 : 1)
    return this.#bytes.subarray(from, from + length)
  }

  string(): string {
    const bytes = this.bytes()
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  }

  /** How many elements of at least so many bytes follow. */
  count(bytesEach: number): number {
    const count = this.uint()
    if (count > MAX_ITEMS || count * bytesEach > this.left)
      throw new TlError('length', `Wrong vector length at ${this.#at}`)
    return count
  }

  /** The refusal of an id that was just read. */
  unknown(id: number): TlError {
    return new TlError('constructor', `Unknown constructor found ${hex32(id)} at ${this.#at}`)
  }

  /** All that is left, as a part of the bytes that are read. */
  rest(): Uint8Array {
    return this.#bytes.subarray(this.#take(this.left))
  }

  end(): void {
    if (this.left > 0) throw new TlError('trailing', `Too much data to fetch at ${this.#at}`)
  }
}
