// Members of objects as bytes of JSON, from what the database sent.

import type { ByteSpan, TextBytes } from '../../../store/index.ts'
import { chainPrefixOf } from '../../keyOfAccount.ts'
import { QUOTE } from '../jsonCodes.ts'

export const utf8Codes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text))
/** With what is in front of the value. */
export const member = (name: string): Uint8Array => utf8Codes(`,"${name}":`)
/** The first member of an object. */
export const firstMember = (name: string): Uint8Array => utf8Codes(`{"${name}":`)

const NULL = utf8Codes('null')
const TRUE = utf8Codes('true')
const FALSE = utf8Codes('false')

export const addCodes = (codes: Uint8Array, to: TextBytes): void => to.copy(codes, 0, codes.length)

export const bufferOfSpan = ({ source, at, end }: ByteSpan): Buffer =>
  Buffer.from(source.buffer, source.byteOffset + at, end - at)

export const addNull = (to: TextBytes): void => addCodes(NULL, to)

export function addBase64({ source, at, end }: ByteSpan, to: TextBytes): void {
  to.byte(QUOTE)
  to.base64(source, at, end)
  to.byte(QUOTE)
}

export function addHash(name: Uint8Array, hash: ByteSpan, to: TextBytes): void {
  addCodes(name, to)
  addBase64(hash, to)
}

/** Left out without a value. */
export function addMaybe(name: Uint8Array, hash: ByteSpan | null, to: TextBytes): void {
  if (hash !== null) addHash(name, hash, to)
}

/** By the first byte of a key. */
const PREFIXES = Array.from({ length: 256 }, (_, biased) => utf8Codes(chainPrefixOf(biased)))

/** An account as v3 writes it, without quotes: of its key, which lies between two places. */
export function addRaw(source: Uint8Array, at: number, end: number, to: TextBytes): void {
  addCodes(PREFIXES[source[at] ?? 0] ?? NULL, to)
  to.hex(source, at + 1, end)
}

export function addAccount(name: Uint8Array, key: ByteSpan | null, to: TextBytes): void {
  addCodes(name, to)
  if (key === null) {
    addNull(to)
    return
  }
  to.byte(QUOTE)
  addRaw(key.source, key.at, key.end, to)
  to.byte(QUOTE)
}

export function addDigits(name: Uint8Array, digits: ByteSpan | null, to: TextBytes): void {
  addCodes(name, to)
  if (digits === null) {
    addNull(to)
    return
  }
  to.byte(QUOTE)
  to.copy(digits.source, digits.at, digits.end)
  to.byte(QUOTE)
}

export const addFlagValue = (flag: boolean, to: TextBytes): void => addCodes(flag ? TRUE : FALSE, to)

export function addFlag(name: Uint8Array, flag: boolean | null, to: TextBytes): void {
  addCodes(name, to)
  if (flag === null) addNull(to)
  else addFlagValue(flag, to)
}

/** Not negative, and exact as a number of JavaScript. */
export function addCount(name: Uint8Array, count: number, to: TextBytes): void {
  addCodes(name, to)
  to.digits(count)
}

/** A logical time, in quotes. */
export function addLt(name: Uint8Array, lt: bigint, to: TextBytes): void {
  addCodes(name, to)
  to.byte(QUOTE)
  if (lt >= 0n && lt <= Number.MAX_SAFE_INTEGER) to.digits(Number(lt))
  else to.string(String(lt))
  to.byte(QUOTE)
}

/** Of what has a short text. */
export function addNamedJson(name: Uint8Array, value: unknown, to: TextBytes): void {
  addCodes(name, to)
  to.string(JSON.stringify(value))
}
