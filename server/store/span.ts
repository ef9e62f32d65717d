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

// Most are accounts: a view of each for `toString` would take twice as long as its text.
const SCRATCH = Buffer.alloc(64)

/** A character for each byte. */
export function charsOfSpan({ source, at, end }: ByteSpan): string {
  const length = end - at
  if (length > SCRATCH.length) return Buffer.from(source.buffer, source.byteOffset + at, length).toString('latin1')
  for (let i = 0; i < length; i++) SCRATCH[i] = source[at + i] ?? 0
  return SCRATCH.toString('latin1', 0, length)
}
