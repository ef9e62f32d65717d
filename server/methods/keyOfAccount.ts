// The key of an account in the store, and back.

import type { ParsedAddress } from '../../shared/address.ts'
import { bytesText } from '../cell/index.ts'
import type { AccountKey } from '../store/index.ts'

const BIAS = 128

/** Its workchain has to fit one byte. */
export function keyOfAccount({ workchain, hash }: Pick<ParsedAddress, 'workchain' | 'hash'>): AccountKey {
  const key = new Uint8Array(33)
  key[0] = workchain + BIAS
  key.set(hash, 1)
  return key
}

export const addressOfKey = (key: AccountKey): Pick<ParsedAddress, 'workchain' | 'hash'> => ({
  workchain: (key[0] ?? 0) - BIAS,
  hash: key.subarray(1),
})

/** In hex, in large letters: 66 digits. */
export const hexOfKey = (account: AccountKey): string => bytesText(account, 'hex').toUpperCase()

/** What v3 writes in front of the hash of an account, by the first byte of its key. */
const PREFIXES: readonly string[] = Array.from({ length: 256 }, (_, biased) => `${biased - BIAS}:`)

export const chainPrefixOf = (biased: number): string => PREFIXES[biased] ?? ''

/** The place of each among all, in two hex digits, by the first byte of the key. */
const RANKS: readonly string[] = PREFIXES.map((prefix) =>
  PREFIXES.filter((other) => other < prefix)
    .length.toString(16)
    .padStart(2, '0'),
)

/** Two hex digits that are in order as the text of the workchain is, of a key in hex. */
export const rankOfChain = (hex: string): string => RANKS[Number.parseInt(hex.slice(0, 2), 16)] ?? ''

/** `8083DFD5…` as `0:83DFD5…`: how v3 writes an account. */
export const rawOfHex = (hex: string): string => chainPrefixOf(Number.parseInt(hex.slice(0, 2), 16)) + hex.slice(2)

/** The same of a key. */
export const rawOfKey = (key: AccountKey): string => rawOfHex(hexOfKey(key))
