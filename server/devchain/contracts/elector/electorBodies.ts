// Stakes of validators, as the elector takes them.

import { beginCell, type Cell } from '../../../cell/index.ts'
import type { AccountId } from '../../../node/index.ts'
import { operationBody } from '../operationBody.ts'

export interface StakeOffer {
  /** Id of the election: the unix second its term begins with. */
  readonly electAt: number
  /** How many times the smallest stake of the elected it may count; 1 or more. */
  readonly maxFactor: number
  /** The account of the masterchain the elector gets the stake from, and gives it back to. */
  readonly holder: AccountId
  /** Ed25519, 32 bytes: of the validator, not of its wallet. */
  readonly publicKey: Uint8Array
  /** 32 bytes. */
  readonly adnl: Uint8Array
  /** Ed25519 signature of bytes, by the validator's key. */
  readonly sign: (bytes: Uint8Array) => Uint8Array
}

const ops = { stake: 0x4e73744b, recover: 0x47657424 } as const
const SIGNED_STAKE = 0x654c5074

/** What a validator has signed for an election, in the form that follows the query id. */
export function signedStake({ electAt, maxFactor, holder, publicKey, adnl, sign }: StakeOffer): Cell {
  const factor = Math.round(maxFactor * 65536)
  const head = beginCell().storeUint(SIGNED_STAKE, 32).storeUint(electAt, 32).storeUint(factor, 32)
  const text = head.storeBytes(holder.hash).storeBytes(adnl).end()
  const offer = beginCell().storeBytes(publicKey).storeUint(electAt, 32).storeUint(factor, 32).storeBytes(adnl)
  return offer.storeRef(beginCell().storeBytes(sign(text.data())).end()).end()
}

/** For the elector, from the masterchain, with the stake and a coin; without a query id nothing is confirmed. */
export function electorStakeBody(queryId: bigint, offer: Cell): Cell {
  const body = operationBody(ops.stake, queryId).storeRange(offer.data(), 0, offer.bits)
  for (const ref of offer.refs) body.storeRef(ref)
  return body.end()
}

/** For the elector: all it owes the sender. */
export const electorRecoverBody = (queryId: bigint): Cell => operationBody(ops.recover, queryId).end()
