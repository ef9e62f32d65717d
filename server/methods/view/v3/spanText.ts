// Members of objects as text, from values as they were received.

import type { ByteSpan, TextBytes } from '../../../store/index.ts'
import { chainPrefixOf } from '../../keyOfAccount.ts'
import { quickBase64 } from '../base64.ts'

const QUOTE = 34

/** The name of a member, with what is around it. */
export type MemberName = Uint8Array

export const member = (name: string, place: 'first' | 'next' = 'next'): MemberName =>
  Uint8Array.from(Buffer.from(`${place === 'first' ? '{' : ','}"${name}":`))

export const addName = (name: MemberName, to: TextBytes): void => to.copy(name, 0, name.length)

export function addKey(name: MemberName, { source, at, end }: ByteSpan, to: TextBytes): void {
  addName(name, to)
  to.byte(QUOTE)
  to.string(chainPrefixOf(source[at] ?? 0))
  to.hex(source, at + 1, end)
  to.byte(QUOTE)
}

/** More bytes are written faster by Buffer. */
const FEW = 256

export function addBase64(name: MemberName, { source, at, end }: ByteSpan, to: TextBytes): void {
  addName(name, to)
  to.byte(QUOTE)
  if (end - at <= FEW) to.base64(source, at, end)
  else to.string(quickBase64(source.subarray(at, end)))
  to.byte(QUOTE)
}

export function addDigits(name: MemberName, { source, at, end }: ByteSpan, to: TextBytes): void {
  addName(name, to)
  to.byte(QUOTE)
  to.copy(source, at, end)
  to.byte(QUOTE)
}

/** Of what has a short text. */
export function addNamedJson(name: MemberName, value: unknown, to: TextBytes): void {
  addName(name, to)
  to.string(JSON.stringify(value))
}
