// A pool of TONCO to its router: the payments to make, and why.

import { tonco } from '../../../bodies/index.ts'
import type { Cell, Slice } from '../../../cell/index.ts'
import { fieldsOf } from '../../reading.ts'

interface Share {
  readonly amount: bigint
  /** The router's, of the jetton. */
  readonly wallet: string | null
}

export interface ToncoPayTo {
  readonly exitCode: number
  /** Both sides of the pool; none where nothing is paid. */
  readonly shares: readonly Share[]
  /** What was burnt, behind a withdrawal. */
  readonly burnt: Cell | null
}

const readFields = fieldsOf(tonco.payTo, 'exitCode', 'shares', 'burnt')

/** Behind the operation. */
export function readToncoPayTo(body: Slice): ToncoPayTo {
  const { exitCode, shares, burnt } = readFields(body)
  const sides =
    shares === null
      ? []
      : [
          { amount: shares.amount0, wallet: shares.wallet0 },
          { amount: shares.amount1, wallet: shares.wallet1 },
        ]
  return { exitCode, shares: sides, burnt }
}
