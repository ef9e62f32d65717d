// Accounts as keys of 33 bytes.

import { type Anycast, bytesText, type MessageAddress } from '../../cell/index.ts'
import type { AccountKey } from '../../store/index.ts'

const ID_BITS = 256

/** Whether accounts of a workchain have keys. */
export const hasKeys = (workchain: number): boolean => workchain >= -128 && workchain <= 127

/** Throws RangeError where `hasKeys` is false. */
export function accountKey(workchain: number, id: Uint8Array): AccountKey {
  if (!hasKeys(workchain) || id.length !== 32) throw new RangeError(`no account of workchain ${workchain}`)
  const key = new Uint8Array(33)
  key[0] = workchain + 128
  key.set(id, 1)
  return key
}

/** The key of an account in raw form; null for an address that no account of the index can have. */
export function rawAccountKey(address: string): AccountKey | null {
  const [, workchain, hex] = /^(-?\d{1,3}):([0-9A-F]{64})$/i.exec(address) ?? []
  return hex === undefined || !hasKeys(Number(workchain))
    ? null
    : accountKey(Number(workchain), Buffer.from(hex, 'hex'))
}

/** How people write the account of a key. */
export const accountKeyText = (key: AccountKey): string => `${(key[0] ?? 0) - 128}:${bytesText(key, 'hex').slice(2)}`

/** Anycast replaces the first bits of the account id: the account is another one in each shard. */
function rewrite(key: AccountKey, { depth, prefix }: Anycast): AccountKey {
  for (let bit = 0; bit < depth; bit++) {
    const mask = 128 >> (bit & 7)
    const at = 1 + (bit >> 3)
    const byte = key[at] ?? 0
    key[at] = (prefix >>> (depth - 1 - bit)) & 1 ? byte | mask : byte & ~mask
  }
  return key
}

/**
 * The account an address means; null for addresses outside of the chain, and for those of a length or a workchain that
 * no account has.
 */
export function addressKey(address: MessageAddress): AccountKey | null {
  if (address === null || address.kind === 'external') return null
  const { workchain, anycast } = address
  if (!hasKeys(workchain) || (address.kind === 'var' && address.address.bits !== ID_BITS)) return null
  const key = accountKey(workchain, address.kind === 'std' ? address.hash : address.address.bytes)
  return anycast === null ? key : rewrite(key, anycast)
}
