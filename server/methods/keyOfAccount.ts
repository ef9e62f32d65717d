// The key of an account in the store, and back.

import type { Address } from '../../shared/address.ts'
import type { AccountKey } from '../store/index.ts'

const BIAS = 128

/** Its workchain has to fit one byte. */
export function keyOfAccount({ workchain, hash }: Pick<Address, 'workchain' | 'hash'>): AccountKey {
  const key = new Uint8Array(33)
  key[0] = workchain + BIAS
  key.set(hash, 1)
  return key
}

export const addressOfKey = (key: AccountKey): Pick<Address, 'workchain' | 'hash'> => ({
  workchain: (key[0] ?? 0) - BIAS,
  hash: key.subarray(1),
})

/** `0:83DFD5…`: how v3 writes an account. */
export const rawOfKey = (key: AccountKey): string => `${(key[0] ?? 0) - BIAS}:${hexOf(key.subarray(1)).toUpperCase()}`

const hexOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('hex')
