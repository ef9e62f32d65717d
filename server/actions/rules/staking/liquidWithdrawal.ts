// Jettons of a pool are burnt for the stake behind them: it comes at once, or a bill for it does.

import { liquidStaking } from '../../../bodies/index.ts'
import { cameBack, destinationOf, envelopeOf, isCall } from '../../base.ts'
import { JETTON_BURN_NOTIFICATION, JETTON_BURN_OPCODE } from '../../opcodes.ts'
import { Picked, type Rule } from '../../rule.ts'
import { burntAmount } from '../jettons/burn.ts'
import { billBehind } from './bill.ts'
import { LIQUID, stakeWithdrawalKind, withdrawalRequestKind } from './kinds.ts'

const LIQUID_WITHDRAWAL = stakeWithdrawalKind('tonstakers_withdraw')
const LIQUID_REQUEST = withdrawalRequestKind('tonstakers_withdraw_request')

/**
 * Invariant: the master, notified of a burn, has the pool pay the stake or make a bill for it; an amount is what was
 * paid.
 */
export const liquidWithdrawal: Rule = {
  name: 'staking/liquidWithdrawal',
  begins: isCall(JETTON_BURN_OPCODE),
  match(request, facts) {
    const picked = new Picked(request)
    const notification = picked.next(request, isCall(JETTON_BURN_NOTIFICATION))
    const withdraw = notification === null ? null : picked.next(notification, isCall(liquidStaking.withdraw.opcode))
    if (notification === null || withdraw === null) return null
    const requested = envelopeOf(request)
    const asset = destinationOf(notification)
    // A wallet notifies its own master.
    if (facts.get(requested?.destination ?? '')?.jettonWallet?.jetton !== asset) return null
    const common = {
      provider: LIQUID,
      holder: requested?.source ?? null,
      holderWallet: requested?.destination ?? null,
      pool: destinationOf(withdraw),
      asset,
      burnt: burntAmount(request),
    }
    const isPaid = isCall(liquidStaking.withdrawal.opcode)
    const paid = picked.next(withdraw, (next) => isPaid(next) && destinationOf(next) === common.holder)
    if (paid !== null) {
      const amount = (envelopeOf(paid)?.value ?? 0n) - (envelopeOf(withdraw)?.value ?? 0n)
      // Less than the pool was sent for the way is no stake.
      if (amount < 0n) return null
      const content = LIQUID_WITHDRAWAL.content({ amount, payoutNft: null, ...common })
      return { blocks: picked.blocks, content, failed: request.failed || cameBack(paid) }
    }
    const payout = picked.next(withdraw, isCall(liquidStaking.payoutMint.opcode))
    if (payout === null) return null
    const payoutNft = billBehind(payout)?.item ?? null
    const content = LIQUID_REQUEST.content({ payoutNft, ...common })
    return { blocks: picked.blocks, content, failed: request.failed || payoutNft === null }
  },
}
