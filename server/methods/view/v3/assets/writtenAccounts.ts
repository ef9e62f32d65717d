// Accounts in what is written as it goes over the wire.

import { fitsFriendly, parseAddress } from '../../../../../shared/address.ts'
import type { AccountKey } from '../../../../store/index.ts'
import { keyOfAccount } from '../../../keyOfAccount.ts'

/** Every text with the form of a raw address, at any depth. */
export function accountsWrittenIn(value: unknown): AccountKey[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(accountsWrittenIn)
  const address = typeof value === 'string' ? parseAddress(value) : null
  return address?.form === 'raw' && fitsFriendly(address) ? [keyOfAccount(address)] : []
}
