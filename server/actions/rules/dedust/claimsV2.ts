// Claims of a DeDust v2 liquidity provider: trading fees in both assets, or a reward.

import { dedustV2 } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { destinationOf, isCall, sourceOf } from '../../base.ts'
import { digits } from '../../details.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isUnpaidLeg } from '../exchanges/legs.ts'
import type { SwapTransfer } from '../exchanges/swap.ts'
import { describeWithdrawal, type Withdrawal } from '../exchanges/withdrawal.ts'
import { isOf, payoutV2Of } from './payoutV2.ts'

interface Claim {
  readonly picked: Picked
  readonly source: string | null
  readonly pool: string | null
  readonly positionContract: string | null
  /** The call from the position contract back to the pool. */
  readonly payout: ActionBlock
}

/** The messages of a claim: the pool queries the position contract, which returns the amounts. */
function claimFrom(request: ActionBlock, available: number, payout: number): Claim | null {
  const picked = new Picked(request)
  const requested = picked.next(request, isCall(available))
  const answer = requested === null ? null : picked.next(requested, isCall(payout))
  if (requested === null || answer === null) return null
  const source = sourceOf(request)
  const pool = destinationOf(request)
  const positionContract = destinationOf(requested)
  return { picked, source, pool, positionContract, payout: answer }
}

const NOTHING_PAID: SwapTransfer = {
  asset: null,
  source: null,
  destination: null,
  sourceWallet: null,
  destinationWallet: null,
  amount: null,
}

const NOTHING_OWED: SwapTransfer = { ...NOTHING_PAID, amount: 0n }

/** For each amount owed, the payment of it to the claimer, picked; null when there is none. Other payments are ignored. */
const paidOf = (owed: readonly bigint[], { payout, source, pool, picked }: Claim): (SwapTransfer | null)[] =>
  owed.map((amount) =>
    amount === 0n
      ? NOTHING_OWED
      : (payoutV2Of({ pool, receiver: source }, payout, picked, isOf(amount))?.transfer ?? null),
  )

const hasFailed = (paid: readonly (SwapTransfer | null)[], { payout, picked }: Claim): boolean =>
  payout.failed || paid.includes(null) || isUnpaidLeg(picked)

interface Fees extends Withdrawal {
  readonly positionContract: string | null
}

const DEDUST_CLAIM_FEES = new Kind<Fees>({
  type: 'dedust_v2_claim_fees',
  describe: (fees) => {
    const { roles, details } = describeWithdrawal(fees)
    const [first, second] = fees.taken
    return {
      roles: { ...roles, destinationSecondary: fees.positionContract },
      details: {
        ...details,
        position: fees.positionContract,
        dex_jetton_wallet_1: first?.sourceWallet ?? null,
        dex_jetton_wallet_2: second?.sourceWallet ?? null,
      },
    }
  },
})

const readFees = fieldsOf(dedustV2.payoutFees)

/** Invariant: the pool queries the position contract, which returns the amounts, and pays them to the claimer. */
export const dedustClaimFees: Rule = {
  name: 'dedust/claimFees',
  begins: isCall(dedustV2.claimFees.opcode),
  match(request) {
    const claim = claimFrom(request, dedustV2.availableFees.opcode, dedustV2.payoutFees.opcode)
    const fees = claim === null ? null : readBody(claim.payout, readFees)
    if (claim === null || fees === null) return null
    const paid = paidOf([fees.amount1, fees.amount2], claim)
    const content = DEDUST_CLAIM_FEES.content({
      dex: 'dedust_v2',
      sender: claim.source,
      pool: claim.pool,
      positionContract: claim.positionContract,
      lpBurnt: null,
      taken: paid.map((side) => side ?? NOTHING_PAID),
      isRefund: false,
      hasNoJetton: true,
    })
    return { blocks: claim.picked.blocks, content, failed: hasFailed(paid, claim) }
  },
}

interface Reward extends Pick<Claim, 'source' | 'pool' | 'positionContract'> {
  readonly paid: SwapTransfer | null
}

const DEDUST_CLAIM_REWARD = new Kind<Reward>({
  type: 'dedust_v2_claim_reward',
  describe: ({ source, pool, positionContract, paid }) => ({
    roles: {
      source,
      sourceSecondary: paid?.destinationWallet ?? null,
      destination: pool,
      destinationSecondary: positionContract,
      asset: paid?.asset ?? null,
    },
    details: {
      dex: 'dedust_v2',
      source,
      user_jetton_wallet: paid?.destinationWallet ?? null,
      dex_jetton_wallet: paid?.sourceWallet ?? null,
      pool,
      position: positionContract,
      asset: paid?.asset ?? null,
      amount: digits(paid?.amount),
    },
  }),
})

const readReward = fieldsOf(dedustV2.payoutReward)

/** Invariant: the pool queries the position contract, which returns the amount, and pays it to the claimer. */
export const dedustClaimReward: Rule = {
  name: 'dedust/claimReward',
  begins: isCall(dedustV2.claimReward.opcode),
  match(request) {
    const claim = claimFrom(request, dedustV2.availableReward.opcode, dedustV2.payoutReward.opcode)
    const reward = claim === null ? null : readBody(claim.payout, readReward)
    if (claim === null || reward === null) return null
    const paid = paidOf([reward.amount], claim)
    const content = DEDUST_CLAIM_REWARD.content({ ...claim, paid: paid[0] ?? null })
    return { blocks: claim.picked.blocks, content, failed: hasFailed(paid, claim) }
  },
}
