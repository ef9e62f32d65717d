// Requests to the faucet for TON: up to 200 payments in one message, any number of messages at once.

import { randomBytes } from 'node:crypto'
import { LAST_UTIME } from '../../../shared/mining.ts'
import { beginCell, type Cell, stdAddress, storeAddress } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'
import { commentBody, messageFromOutside } from '../contracts/index.ts'
import { createSigner } from './signing.ts'
import { FAUCET_WALLET_ID, faucetAccount } from './wellKnownAccounts.ts'

export interface FaucetPayout {
  readonly to: AccountId
  /** Nanotons; the fees are the faucet's. */
  readonly amount: bigint
  /** Text for the receiver; instead of a body. */
  readonly comment?: string
  readonly body?: Cell
}

export interface FaucetOptions {
  /** The chain's time in unix seconds; that of this machine when absent. */
  readonly now?: () => number
}

export interface Faucet {
  readonly address: AccountId
  /**
   * The signed external message for up to 200 payments. Requests of the same id are paid once; the next unused id when
   * absent. Throws RangeError for no payment, or for more, and where time ends.
   */
  request(payouts: readonly FaucetPayout[], queryId?: bigint): Cell
}

/** So many payments fit one message, whose actions are at most 255. */
export const MAX_PAYOUTS = 200
// Half of the 1200 that the contract allows: its clock may be behind that of the caller.
const VALID_SECONDS = 600
/** What sending one payment may cost at most; the rest stays in the faucet. */
const FEE_ALLOWANCE = 50_000_000n

/** Throws RangeError in the last second there is: a message is valid before its end, and no number of 32 bits is later. */
function endOfValidity(utime: number): number {
  if (utime >= LAST_UTIME)
    throw new RangeError(
      `The chain is at ${new Date(utime * 1000).toISOString()}, the last second it can have: no message is valid any more. dev.revert goes back to a snapshot; --reset begins again`,
    )
  return Math.min(utime + VALID_SECONDS, LAST_UTIME)
}

function payoutList(payouts: readonly FaucetPayout[]): Cell | null {
  let next: Cell | null = null
  for (const { to, amount, comment, body } of payouts.toReversed()) {
    const message = body ?? (comment === undefined ? null : commentBody(comment))
    next = storeAddress(beginCell(), stdAddress(to.workchain, to.hash))
      .storeCoins(amount)
      .storeMaybeRef(message)
      .storeMaybeRef(next)
      .end()
  }
  return next
}

/** Bits of an id that number the requests within a lane; the contract keeps two cells per lane. */
const LANE_BITS = 9n

/** Counts up within a random lane of 55 bits, then takes another lane: two processes do not meet, and state stays small. */
function createQueryIds(): () => bigint {
  const mask = (1n << LANE_BITS) - 1n
  let next = 0n
  return () => {
    if ((next & mask) === 0n) next = randomBytes(8).readBigUInt64BE() & ~mask
    return next++
  }
}

/** Signs with the faucet's key, which is public. */
export function createFaucet({ now = () => Math.floor(Date.now() / 1000) }: FaucetOptions = {}): Faucet {
  const { address, seed } = faucetAccount()
  const sign = createSigner(seed)
  const nextQueryId = createQueryIds()

  function request(payouts: readonly FaucetPayout[], queryId: bigint = nextQueryId()): Cell {
    const first = payoutList(payouts)
    if (first === null || payouts.length > MAX_PAYOUTS)
      throw new RangeError(`A request has 1 to ${MAX_PAYOUTS} payments, not ${payouts.length}`)
    const total = payouts.reduce((sum, { amount }) => sum + amount + FEE_ALLOWANCE, 0n)
    const signed = beginCell()
      .storeUint(FAUCET_WALLET_ID, 32)
      .storeUint(queryId, 64)
      .storeUint(endOfValidity(now()), 32)
      .storeCoins(total)
      .storeRef(first)
      .end()
    const body = beginCell().storeBytes(sign(signed.hashBytes())).storeRef(signed).end()
    return messageFromOutside(address, body)
  }

  return { address, request }
}
