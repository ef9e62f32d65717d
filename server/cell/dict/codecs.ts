// Codecs of dictionaries: how a key becomes a bit string and back, and how the values most dictionaries have are written.

import { readBig, readUint, writeBig, writeShort } from '../bits.ts'
import type { Cell } from '../cell.ts'
import { DictError } from '../cellErrors.ts'
import { type BinaryHash, hashFromBytes, hashToBytes } from '../hash.ts'
import type { Slice } from '../slice.ts'
import type { Codec } from './shape.ts'

export interface KeyCodec<K> {
  readonly bits: number
  /** Order of keys: with a sign, those whose first bit is set come first. */
  readonly signed: boolean
  encode(key: K): Uint8Array
  /** The array is reused by its owner: copy what is kept. */
  decode(bytes: Uint8Array): K
}

function refuse(key: unknown, bits: number): never {
  throw new DictError('key', `${String(key)} is no key of ${bits} bits`)
}

/** Bits of a number, left-aligned in whole bytes. */
function numberBytes(value: number, bits: number): Uint8Array {
  const bytes = new Uint8Array((bits + 7) >> 3)
  if (bits > 32) {
    writeShort(bytes, 0, Math.floor(value / 0x1_0000_0000), bits - 32)
    writeShort(bytes, bits - 32, value >>> 0, 32)
  } else writeShort(bytes, 0, value, bits)
  return bytes
}

/** Unsigned numbers of up to 53 bits. */
export function uintKey(bits: number): KeyCodec<number> {
  return {
    bits,
    signed: false,
    encode: (key) =>
      Number.isSafeInteger(key) && key >= 0 && key < 2 ** bits ? numberBytes(key, bits) : refuse(key, bits),
    decode: (bytes) => readUint(bytes, 0, bits),
  }
}

/** Signed numbers of up to 53 bits. */
export function intKey(bits: number): KeyCodec<number> {
  const half = 2 ** (bits - 1)
  return {
    bits,
    signed: true,
    encode: (key) =>
      Number.isSafeInteger(key) && key >= -half && key < half
        ? numberBytes(key < 0 ? key + 2 * half : key, bits)
        : refuse(key, bits),
    decode: (bytes) => {
      const value = readUint(bytes, 0, bits)
      return value >= half ? value - 2 * half : value
    },
  }
}

/** Unsigned bigints. */
export function bigKey(bits: number): KeyCodec<bigint> {
  return {
    bits,
    signed: false,
    encode: (key) => {
      if (BigInt.asUintN(bits, key) !== key) return refuse(key, bits)
      const bytes = new Uint8Array((bits + 7) >> 3)
      writeBig(bytes, 0, key, bits)
      return bytes
    },
    decode: (bytes) => readBig(bytes, 0, bits),
  }
}

/** Bit strings, left-aligned in whole bytes. */
export function dictBytesKey(bits: number): KeyCodec<Uint8Array> {
  const length = (bits + 7) >> 3
  return {
    bits,
    signed: false,
    encode: (key) => (key.length === length ? key : refuse(`an array of ${key.length} bytes`, bits)),
    decode: (bytes) => new Uint8Array(bytes),
  }
}

/** Hashes and account ids as hash strings. */
export const dictHashKey: KeyCodec<BinaryHash> = {
  bits: 256,
  signed: false,
  encode: (key) => (key.length === 32 ? hashToBytes(key) : refuse(`a string of ${key.length} characters`, 256)),
  decode: (bytes) => hashFromBytes(bytes),
}

/** The leaf as a slice. Written slices are not moved. */
export const sliceValue: Codec<Slice> = {
  load: (slice) => slice.loadRest(),
  store: (builder, value) => {
    builder.storeSlice(value)
  },
}

/** `^Cell`. */
export const refValue: Codec<Cell> = {
  load: (slice) => slice.loadRef(),
  store: (builder, value) => {
    builder.storeRef(value)
  },
}

/** `True`: no bits at all. */
export const unitValue: Codec<true> = { load: () => true, store: () => undefined }

/** Unsigned numbers of up to 53 bits. */
export const uintValue = (bits: number): Codec<number> => ({
  load: (slice) => slice.loadUint(bits),
  store: (builder, value) => {
    builder.storeUint(value, bits)
  },
})

/** `VarUInteger n`. */
export const varUintValue = (n: number): Codec<bigint> => ({
  load: (slice) => slice.loadVarUint(n),
  store: (builder, value) => {
    builder.storeVarUint(value, n)
  },
})

/** `Grams`. */
export const coinsValue: Codec<bigint> = varUintValue(16)
