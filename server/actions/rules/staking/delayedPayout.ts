// A bill of a pool is paid: it burns, and its owner gets the stake.

import type { Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Node } from '../../node.ts'
import { readAddress, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { LIQUID, withdrawalKind } from './kinds.ts'

const PAYOUT = 0xdb3b8abd
const BURN_NOTIFICATION = 0xed58b0b2
const BURN = 0xf127fe4e
const DISTRIBUTION = 0x1140a64f

const DELAYED_PAYOUT = withdrawalKind('tonstakers_withdraw')

/** Behind the operation. */
const readNotification = (body: Slice) => ({ burnt: body.skip(64).loadCoins(), owner: readAddress(body) })

/** Who ordered the distribution: bills are paid one behind another, so it may lie far back. */
function poolBehind(payout: Node): string | null {
  for (let node = payout.parent; node !== null; node = node.parent) {
    const opcode = node.message?.opcode
    if (opcode === DISTRIBUTION) return node.message?.source ?? null
    if (opcode !== BURN && opcode !== BURN_NOTIFICATION) return null
  }
  return null
}

export const delayedPayout: Rule = {
  name: 'staking/delayedPayout',
  begins: isCall(PAYOUT),
  match(payout) {
    const picked = new Picked(payout)
    const notification = picked.previous(payout, isCall(BURN_NOTIFICATION))
    const burn = notification === null ? null : picked.previous(notification, isCall(BURN))
    const fields = notification === null ? null : readBody(notification, readNotification)
    if (burn === null || fields === null) return null
    const content = DELAYED_PAYOUT.content({
      provider: LIQUID,
      holder: fields.owner,
      pool: poolBehind(payout.first),
      amount: envelopeOf(payout)?.value ?? null,
      payoutNft: envelopeOf(notification)?.source ?? null,
      burnt: fields.burnt,
      asset: null,
    })
    return { blocks: picked.blocks, content, failed: payout.failed }
  },
}
