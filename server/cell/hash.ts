// Hashes travel as strings of 32 characters, one per byte (latin1): as keys of a Map they cost one pointer and no
// conversion, and node:crypto makes them three times faster than byte arrays.

import { hash as digest } from 'node:crypto'

/** 32 bytes, one character each (what node:crypto calls `binary`). */
export type BinaryHash = string

/** SHA-256 in one call. */
export const sha256 = (bytes: Uint8Array): BinaryHash => digest('sha256', bytes, 'binary')

/** A fresh copy as bytes. */
export function hashToBytes(hash: BinaryHash): Uint8Array {
  const bytes = new Uint8Array(hash.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = hash.charCodeAt(i)
  return bytes
}

const SCRATCH = Buffer.alloc(64)

/** Bytes as text. Most are hashes and accounts: a view of each for `toString` would take twice as long as its text. */
export function bytesText(bytes: Uint8Array, encoding: 'latin1' | 'hex' | 'base64'): string {
  const { length } = bytes
  if (length > SCRATCH.length) return Buffer.from(bytes.buffer, bytes.byteOffset, length).toString(encoding)
  SCRATCH.set(bytes)
  return SCRATCH.toString(encoding, 0, length)
}

/** Quicker than `toBase64` of `shared/`: a page has hundreds of them. */
export const base64Of = (bytes: Uint8Array): string => bytesText(bytes, 'base64')

/** Bytes as an unsigned number, the first byte the highest. */
export const numberOfBytes = (bytes: Uint8Array): bigint => BigInt(`0x${bytesText(bytes, 'hex')}`)

/** The string form of 32 bytes. */
export const hashFromBytes = (bytes: Uint8Array): BinaryHash => bytesText(bytes, 'latin1')

/** Lowercase hex. */
export const hashToHex = (hash: BinaryHash): string => Buffer.from(hash, 'latin1').toString('hex')

/** The string form of a hex text. */
export const hashFromHex = (hex: string): BinaryHash => Buffer.from(hex, 'hex').toString('latin1')

/** Whether two hashes, or other bytes, are equal. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
