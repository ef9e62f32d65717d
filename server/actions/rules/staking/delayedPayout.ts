// A bill of a pool is paid: it burns, and its owner gets the stake.

import { liquidStaking } from '../../../bodies/index.ts'
import { cameBack, destinationOf, envelopeOf, isCall, sourceOf } from '../../base.ts'
import type { Node } from '../../node.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { LIQUID, stakeWithdrawalKind } from './kinds.ts'

const { nftPayout, nftBurnNotification, nftBurn, distribution } = liquidStaking

const DELAYED_PAYOUT = stakeWithdrawalKind('tonstakers_withdraw')

const readNotification = fieldsOf(nftBurnNotification, 'amount')

/** Who ordered the distribution: bills are paid one behind another, so it may lie far back. */
function poolBehind(payout: Node): string | null {
  for (let node = payout.parent; node !== null; node = node.parent) {
    const opcode = node.message?.opcode
    if (opcode === distribution.opcode) return node.message?.source ?? null
    if (opcode !== nftBurn.opcode && opcode !== nftBurnNotification.opcode) return null
  }
  return null
}

/** Invariant: a bill burns, and the collection it notifies pays for it; the holder is who was paid, the amount what was sent. */
export const delayedPayout: Rule = {
  name: 'staking/delayedPayout',
  begins: isCall(nftPayout.opcode),
  match(payout) {
    const picked = new Picked(payout)
    const notification = picked.previous(payout, isCall(nftBurnNotification.opcode))
    const burn = notification === null ? null : picked.previous(notification, isCall(nftBurn.opcode))
    const fields = notification === null ? null : readBody(notification, readNotification)
    if (burn === null || fields === null) return null
    const content = DELAYED_PAYOUT.content({
      provider: LIQUID,
      holder: destinationOf(payout),
      pool: poolBehind(payout.first),
      amount: envelopeOf(payout)?.value ?? null,
      payoutNft: sourceOf(notification),
      burnt: fields.amount,
      asset: null,
    })
    return { blocks: picked.blocks, content, failed: cameBack(payout) }
  },
}
