// What a place in a pool of DeDust v2 has earned is paid: fees in both assets, or a reward.

import { dedustV2 } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isUnpaidLeg } from '../exchanges/legs.ts'
import type { SwapTransfer } from '../exchanges/swap.ts'
import { withdrawalKind } from '../exchanges/withdrawal.ts'
import { payoutV2After } from './payoutV2.ts'

const DEDUST_CLAIM_FEES = withdrawalKind('dedust_v2_claim_fees', 'dedust_v2_claim_fees')

interface Claim {
  readonly picked: Picked
  /** From the position back to the pool. */
  readonly payout: ActionBlock | null
}

/** The way of a claim: the pool queries the position, which returns the amount. */
function claimFrom(request: ActionBlock, available: number, payout: number): Claim {
  const picked = new Picked(request)
  const requested = picked.next(request, isCall(available))
  return { picked, payout: requested === null ? null : picked.next(requested, isCall(payout)) }
}

const readFees = fieldsOf(dedustV2.payoutFees, 'amount1', 'amount2')

const NOTHING_PAID: SwapTransfer = {
  asset: null,
  source: null,
  destination: null,
  sourceWallet: null,
  destinationWallet: null,
  amount: null,
}

/** What the pool pays the claimer, picked: anybody else it may pay for reasons of its own. */
function paidTo(claimer: string | null, payout: ActionBlock, picked: Picked): SwapTransfer | null {
  const paid = payoutV2After(payout, picked)?.transfer
  return paid?.destination === claimer ? paid : null
}

/** Both sides in the order of the pool; null for one that was to be paid and was not. */
function takenAfter(payout: ActionBlock, claimer: string | null, picked: Picked): (SwapTransfer | null)[] {
  const fees = readBody(payout, readFees)
  return (fees === null ? [] : [fees.amount1, fees.amount2]).map((fee) =>
    fee > 0n ? paidTo(claimer, payout, picked) : NOTHING_PAID,
  )
}

/** Invariant: the pool queries the position, which returns the amounts, and pays them to the claimer. */
export const dedustClaimFees: Rule = {
  name: 'dedust/claimFees',
  begins: isCall(dedustV2.claimFees.opcode),
  match(request) {
    const { picked, payout } = claimFrom(request, dedustV2.availableFees.opcode, dedustV2.payoutFees.opcode)
    const from = envelopeOf(request)
    if (payout === null || from === undefined) return null
    const sides = takenAfter(payout, from.source, picked)
    const content = DEDUST_CLAIM_FEES.content({
      dex: 'dedust_v2',
      sender: from.source,
      pool: from.destination,
      lpBurnt: null,
      taken: sides.map((side) => side ?? NOTHING_PAID),
    })
    return { blocks: picked.blocks, content, failed: payout.failed || sides.includes(null) || isUnpaidLeg(picked) }
  },
}

interface Reward {
  readonly source: string | null
  readonly pool: string | null
  readonly paid: SwapTransfer | null
}

const DEDUST_CLAIM_REWARD = new Kind<Reward>({
  type: 'dedust_v2_claim_reward',
  describe: ({ source, pool, paid }) => ({
    roles: {
      source,
      sourceSecondary: paid?.destinationWallet ?? null,
      destination: pool,
      asset: paid?.asset ?? null,
    },
    details: {
      dex: 'dedust_v2',
      source,
      user_jetton_wallet: paid?.destinationWallet ?? null,
      pool,
      asset: paid?.asset ?? null,
      amount: digits(paid?.amount),
    },
  }),
})

/** Invariant: the pool queries the position, which returns the amount, and pays it to the claimer. */
export const dedustClaimReward: Rule = {
  name: 'dedust/claimReward',
  begins: isCall(dedustV2.claimReward.opcode),
  match(request) {
    const { picked, payout } = claimFrom(request, dedustV2.availableReward.opcode, dedustV2.payoutReward.opcode)
    const from = envelopeOf(request)
    if (payout === null || from === undefined) return null
    const paid = paidTo(from.source, payout, picked)
    const content = DEDUST_CLAIM_REWARD.content({ source: from.source, pool: from.destination, paid })
    return { blocks: picked.blocks, content, failed: paid === null || isUnpaidLeg(picked) }
  },
}
