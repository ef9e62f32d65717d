// Rewards of a stake with JVault are paid.

import { jvault } from '../../../bodies/index.ts'
import { Kind } from '../../actionKind.ts'
import { destinationOf, envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTransfer, isUnpaidLeg } from '../exchanges/legs.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'
import { newsAfter } from './stakeWallet.ts'

interface Reward {
  /** The pool's wallet it is paid from: rewards are identified by it. */
  readonly jetton: string | null
  readonly amount: bigint
}

interface Claim {
  readonly owner: string | null
  readonly wallet: string | null
  readonly pool: string | null
  readonly rewards: readonly Reward[]
}

const JVAULT_CLAIM = new Kind<Claim>({
  type: 'jvault_claim',
  describe: ({ owner, wallet, pool, rewards }) => ({
    roles: { source: owner, sourceSecondary: wallet, destination: pool },
    details: {
      claimed_rewards: rewards.map(({ jetton, amount }) => ({ jetton, amount: digits(amount) })),
      source: owner,
      stake_wallet: wallet,
      pool,
    },
  }),
})

/**
 * Invariant: the stake wallet, requested by its owner, has the pool send rewards and update it; amounts are those of
 * the transfers.
 */
export const jvaultClaim: Rule = {
  name: 'jvault/claim',
  begins: isCall(jvault.claim.opcode),
  match(request) {
    const picked = new Picked(request)
    const order = picked.next(request, isCall(jvault.sendRewards.opcode))
    const from = envelopeOf(request)
    if (order === null || from === undefined) return null
    const transfers = picked.every(order, isTransfer)
    if (transfers.length === 0 || newsAfter(order, picked) === null) return null
    const rewards = transfers
      .map((transfer) => JETTON_TRANSFER.of(transfer))
      .filter((transfer) => transfer !== undefined)
      .map(({ senderWallet, amount }) => ({ jetton: senderWallet, amount }))
    const content = JVAULT_CLAIM.content({
      owner: from.source,
      wallet: from.destination,
      pool: destinationOf(order),
      rewards,
    })
    return { blocks: picked.blocks, content, failed: order.failed || isUnpaidLeg(picked) }
  },
}
