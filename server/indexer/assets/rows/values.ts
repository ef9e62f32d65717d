// Values of contracts in the forms of rows. What does not fit is garbage: a TlbError says so.

import type { StdAddress } from '../../../cell/index.ts'
import { accountKey, accountKeyText } from '../../../facts/index.ts'
import { type AccountKey, type ContentAttributes, fittingMembers } from '../../../store/index.ts'
import { TlbError, type TokenContent } from '../../../tlb/index.ts'

export const keyOf = ({ workchain, hash }: StdAddress): AccountKey => accountKey(workchain, hash)
export const keyOrNull = (address: StdAddress | null): AccountKey | null => (address === null ? null : keyOf(address))

/** For whole numbers of JSON. */
export function jsonInt(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new TlbError('value', 'a number no reader of JSON takes as it is')
  return number
}

/** For columns of 64 bits that are whole numbers of JSON as well. */
export const int64 = (value: bigint): bigint => BigInt(jsonInt(value))

/** Raw, as v3 writes addresses. */
export const jsonAddress = (address: StdAddress | null): string | undefined =>
  address === null ? undefined : accountKeyText(keyOf(address)).toUpperCase()

// No text of a database holds them, whatever a contract says.
export const withoutZeros = (text: string): string => text.replaceAll('\0', '')

/** Characters of the content of one token, which every list that has the token repeats. */
const MOST_CONTENT = 128 << 10

/** Without its longest values where it is too large. */
export function contentRow(content: TokenContent): ContentAttributes {
  const attributes = content.kind === 'offchain' ? { uri: content.uri } : content.values
  const fitting = Object.entries(attributes).filter(([, text]) => text.length <= MOST_CONTENT)
  const texts = fitting.map(([name, text]) => [name, withoutZeros(text)] as const)
  return fittingMembers<string>(Object.fromEntries(texts), MOST_CONTENT)
}
