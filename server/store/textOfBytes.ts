// Bytes as text. Most are hashes and accounts: a view of each for `toString` would take twice as long as its text.

import type { ByteSpan } from './span.ts'

const SCRATCH = Buffer.alloc(64)

export function textOfBytes(bytes: Uint8Array, encoding: 'latin1' | 'hex' | 'base64'): string {
  const { length } = bytes
  if (length > SCRATCH.length) return Buffer.from(bytes.buffer, bytes.byteOffset, length).toString(encoding)
  SCRATCH.set(bytes)
  return SCRATCH.toString(encoding, 0, length)
}

/** A character for each byte. */
export function charsOfSpan({ source, at, end }: ByteSpan): string {
  const length = end - at
  if (length > SCRATCH.length) return Buffer.from(source.buffer, source.byteOffset + at, length).toString('latin1')
  for (let i = 0; i < length; i++) SCRATCH[i] = source[at + i] ?? 0
  return SCRATCH.toString('latin1', 0, length)
}
