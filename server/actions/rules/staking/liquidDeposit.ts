// A deposit into a pool that gives jettons for it.

import { liquidStaking } from '../../../bodies/index.ts'
import { destinationOf, envelopeOf, isCall } from '../../base.ts'
import { Picked, type Rule } from '../../rule.ts'
import { mintAfter, mintedAmount } from '../jettons/mint.ts'
import { billBehind } from './bill.ts'
import { LIQUID, stakeDepositKind } from './kinds.ts'

/** What the pool keeps for its work. */
const FEE = 1_000_000_000n

const LIQUID_DEPOSIT = stakeDepositKind('tonstakers_deposit')

/**
 * Invariant: a pool is sent TON and has its master mint, or a bill made for jettons that come at the end of the round; the
 * amount is what was sent without the pool's fee.
 */
export const liquidDeposit: Rule = {
  name: 'staking/liquidDeposit',
  begins: isCall(liquidStaking.deposit.opcode),
  match(request, facts) {
    const picked = new Picked(request)
    const payout = picked.next(request, isCall(liquidStaking.payoutMint.opcode))
    const internal = payout === null ? null : mintAfter(payout, picked)
    const { source = null, destination = null, value = null } = envelopeOf(request) ?? {}
    if (value === null || value < FEE) return null
    const hasBill = payout !== null && internal === null && billBehind(payout)?.failed === false
    const wallet = facts.get(destinationOf(internal) ?? '')?.jettonWallet
    const content = LIQUID_DEPOSIT.content({
      provider: LIQUID,
      holder: source,
      pool: destination,
      amount: value - FEE,
      minted: internal === null ? null : mintedAmount(internal),
      asset: hasBill ? null : (wallet?.jetton ?? destinationOf(payout)),
    })
    const isMinted = internal !== null && !internal.failed
    return { blocks: picked.blocks, content, failed: request.failed || !(isMinted || hasBill) }
  },
}
