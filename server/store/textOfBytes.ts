// Bytes as text. Most are hashes and accounts: a view of each for `toString` would take twice as long as its text.

const SCRATCH = Buffer.alloc(64)

export function textOfBytes(bytes: Uint8Array, encoding: 'latin1' | 'hex' | 'base64'): string {
  const { length } = bytes
  if (length > SCRATCH.length) return Buffer.from(bytes.buffer, bytes.byteOffset, length).toString(encoding)
  SCRATCH.set(bytes)
  return SCRATCH.toString(encoding, 0, length)
}
