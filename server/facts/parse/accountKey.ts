// Accounts as keys of 33 bytes.

import { bytesText, type MessageAddress } from '../../cell/index.ts'
import type { AccountKey } from '../../store/index.ts'
import { addressedAccount, hasAccounts } from '../../tlb/index.ts'

/** Throws RangeError for a workchain that has no accounts. */
export function accountKey(workchain: number, id: Uint8Array): AccountKey {
  if (!hasAccounts(workchain) || id.length !== 32) throw new RangeError(`no account of workchain ${workchain}`)
  const key = new Uint8Array(33)
  key[0] = workchain + 128
  key.set(id, 1)
  return key
}

/** The key of an account in raw form; null for an address that no account of the index can have. */
export function rawAccountKey(address: string): AccountKey | null {
  const [, workchain, hex] = /^(-?\d{1,3}):([0-9A-F]{64})$/i.exec(address) ?? []
  return hex === undefined || !hasAccounts(Number(workchain))
    ? null
    : accountKey(Number(workchain), Buffer.from(hex, 'hex'))
}

/** How people write the account of a key. */
export const accountKeyText = (key: AccountKey): string => `${(key[0] ?? 0) - 128}:${bytesText(key, 'hex').slice(2)}`

/** The key of the account an address means; null for an address that no account has. */
export function addressKey(address: MessageAddress): AccountKey | null {
  const account = addressedAccount(address)
  return account && accountKey(account.workchain, account.id)
}
