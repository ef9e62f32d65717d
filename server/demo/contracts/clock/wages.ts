// Deployment of a contract that pays wages by itself: an account of the masterchain that runs in every block.

import { beginCell } from '../../../cell/index.ts'
import type { AccountId, Deployment } from '../../../devchain/index.ts'
import { storeAddressOrNone } from '../body.ts'
import { deployment } from '../code.ts'

export interface WagesParts {
  readonly beneficiary: AccountId
  /** Nanotons of each payment. */
  readonly amount: bigint
  /** Seconds from one payment to the next. */
  readonly period: number
  /** Distinguishes contracts of the same terms. */
  readonly id: number
}

/** Its first payment is due at once. It does not run until parameter 31 lists it. */
export function wagesPayer({ beneficiary, amount, period, id }: WagesParts): Deployment {
  const terms = storeAddressOrNone(beginCell(), beneficiary).storeCoins(amount).storeUint(period, 32)
  return deployment('clock/wages', terms.storeUint(0, 32).storeUint(id, 32).end(), {
    workchain: -1,
    special: { tick: true, tock: false },
  })
}
