// Which account an address means.

import type { Anycast, MessageAddress } from '../../cell/index.ts'

const ID_BITS = 256

export interface AddressedAccount {
  /** -128 to 127. */
  readonly workchain: number
  /** 32 bytes. */
  readonly id: Uint8Array
}

/** Whether a workchain may have accounts. */
export const hasAccounts = (workchain: number): boolean => workchain >= -128 && workchain <= 127

/** Anycast replaces the first bits of the account id: the account is another one in each shard. */
function rewrite(original: Uint8Array, { depth, prefix }: Anycast): Uint8Array {
  const id = Uint8Array.from(original)
  for (let bit = 0; bit < depth; bit++) {
    const mask = 128 >> (bit & 7)
    const at = bit >> 3
    const byte = id[at] ?? 0
    id[at] = (prefix >>> (depth - 1 - bit)) & 1 ? byte | mask : byte & ~mask
  }
  return id
}

/** Null for addresses outside of the chain, and for those of a length or a workchain that no account has. */
export function addressedAccount(address: MessageAddress): AddressedAccount | null {
  if (address === null || address.kind === 'external') return null
  const { workchain, anycast } = address
  if (!hasAccounts(workchain) || (address.kind === 'var' && address.address.bits !== ID_BITS)) return null
  const id = address.kind === 'std' ? address.hash : address.address.bytes
  return { workchain, id: anycast === null ? id : rewrite(id, anycast) }
}
