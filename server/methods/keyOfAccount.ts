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

/** Of the workchains of TON. */
const PREFIXES: Readonly<Record<string, string>> = { '7F': '-1:', '80': '0:' }

/** `8083DFD5…` as `0:83DFD5…`: how v3 writes an account. */
export function rawOfHex(hex: string): string {
  const chain = hex.slice(0, 2)
  return `${PREFIXES[chain] ?? `${Number.parseInt(chain, 16) - BIAS}:`}${hex.slice(2)}`
}

/** The same of a key. */
export const rawOfKey = (key: AccountKey): string => rawOfHex(hexOfKey(key))
