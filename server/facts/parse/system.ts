// The chain's own housekeeping: tick-tock transactions, and the elector taking in fees and what was recovered. All of it is
// in the masterchain.

import { sameBytes } from '../../cell/index.ts'
import type { AccountKey, MessageRow } from '../../store/index.ts'
import { accountKey } from './accountKey.ts'

/** In whose name the chain itself sends messages. */
const SYSTEM: AccountKey = accountKey(-1, new Uint8Array(32))
const ELECTOR: AccountKey = accountKey(-1, new Uint8Array(32).fill(0x33))

export interface Taken {
  readonly account: AccountKey
  readonly inMessage: Pick<MessageRow, 'kind' | 'source'> | null
}

export const isFromSystem = (source: AccountKey | null): boolean => source !== null && sameBytes(source, SYSTEM)

/** Whether a transaction is housekeeping; `isTickTock` is only called where that decides. */
export function isSystem({ account, inMessage }: Taken, isTickTock: () => boolean): boolean {
  if (account[0] !== SYSTEM[0]) return false
  if (inMessage === null) return isTickTock()
  return inMessage.kind === 'internal' && isFromSystem(inMessage.source) && sameBytes(account, ELECTOR)
}
