// A pool of STON.fi v2 to its router: the payments to make.

import { stonfiV2 } from '../../../bodies/index.ts'
import type { Slice } from '../../../cell/index.ts'
import { fieldsOf } from '../../reading.ts'

/** An amount, and the router's wallet it lies in. */
export interface PayShare {
  readonly amount: bigint
  readonly wallet: string | null
}

export interface PayTo extends PayShare {
  readonly exitCode: number
  /** Both sides of the pool; the other fields are those of the one that is paid. */
  readonly shares: readonly [PayShare, PayShare]
}

const readFields = fieldsOf(stonfiV2.payTo, 'exitCode', 'additionalInfo')

/** Behind the operation. */
export function readPayTo(body: Slice): PayTo {
  const { exitCode, additionalInfo: info } = readFields(body)
  const shares = [
    { amount: info.amount0, wallet: info.wallet0 },
    { amount: info.amount1, wallet: info.wallet1 },
  ] as const
  return { exitCode, shares, ...(shares[0].amount > 0n ? shares[0] : shares[1]) }
}
