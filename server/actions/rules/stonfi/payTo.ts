// The word of a pool of STON.fi v2 to its router: whom to pay what.

import { openCell, type Slice } from '../../../cell/index.ts'
import { readAddress } from '../../reading.ts'

export const PAY_TO_V2 = 0x657b54f5
export const SWAP_OK = 0xc64370e5

/** An amount, and the router's wallet it lies in. */
export interface Share {
  readonly amount: bigint
  readonly wallet: string | null
}

export interface PayTo extends Share {
  readonly exitCode: number
  /** Both sides of the pool; the other fields are those of the one that is paid. */
  readonly shares: readonly [Share, Share]
}

const readShare = (slice: Slice): Share => ({ amount: slice.loadVarUint(16), wallet: readAddress(slice) })

/** Behind the operation. */
export function readPayTo(body: Slice): PayTo {
  body.skip(64)
  for (let address = 0; address < 3; address++) readAddress(body)
  const exitCode = body.loadUint(32)
  body.loadMaybeRef()
  const more = openCell(body.loadRef())
  more.loadCoins()
  const shares = [readShare(more), readShare(more)] as const
  return { exitCode, shares, ...(shares[0].amount > 0n ? shares[0] : shares[1]) }
}
