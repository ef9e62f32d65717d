// The word of a pool of TONCO to its router: whom to pay what, and why.

import { openCell, type Slice } from '../../../cell/index.ts'
import { readAddress } from '../../reading.ts'

export const PAY_TO = 0xa1daa96d

interface Share {
  readonly amount: bigint
  /** The router's, of the jetton. */
  readonly wallet: string | null
}

export interface PayTo {
  readonly exitCode: number
  /** Both sides of the pool; none where nothing is paid. */
  readonly shares: readonly Share[]
  /** What was burnt, behind a withdrawal. */
  readonly more: Slice | null
}

const readShare = (slice: Slice): Share => ({ amount: slice.loadVarUint(16), wallet: readAddress(slice) })

/** Behind the operation. */
export function readPayTo(body: Slice): PayTo {
  readAddress(body.skip(64))
  readAddress(body)
  const exitCode = body.loadUint(32)
  const coins = body.skip(64).loadMaybeRef()
  const slice = coins === null ? null : openCell(coins)
  const shares = slice === null ? [] : [readShare(slice), readShare(slice)]
  const more = body.remainingBits > 0 ? body.loadMaybeRef() : null
  return { exitCode, shares, more: more === null ? null : openCell(more) }
}
