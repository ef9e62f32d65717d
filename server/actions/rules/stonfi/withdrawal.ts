// Liquidity taken out of a pool of STON.fi v2: its jettons are burnt, or what waited in an account for its other side
// is requested back. The router pays both assets.

import { stonfiV2 } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { destinationOf, isCall, sourceOf } from '../../base.ts'
import { readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isUnpaidLeg, type Leg, legAfter } from '../exchanges/legs.ts'
import type { SwapTransfer } from '../exchanges/swap.ts'
import { DEX_WITHDRAWAL, isPaidTo } from '../exchanges/withdrawal.ts'
import { JETTON_BURN } from '../jettons/burn.ts'
import { type PayTo, readPayTo } from './payTo.ts'

/** In the pool's order, identified by the router's wallets they came from. */
function inOrder(legs: readonly Leg[], { shares }: PayTo): SwapTransfer[] {
  const place = ({ block }: Leg): number => shares.findIndex(({ wallet }) => wallet === block.first.transaction.account)
  return legs.toSorted((a, b) => place(a) - place(b)).map(({ transfer }) => transfer)
}

/** Payments of the router on the pool's order, picked; none until it has paid. */
function takenAfter(call: ActionBlock, picked: Picked): SwapTransfer[] {
  return picked.every(call, isCall(stonfiV2.payTo.opcode)).flatMap((order) => {
    const paid = readBody(order, readPayTo)
    const legs: Leg[] = []
    for (let leg = legAfter(order, picked); leg !== null; leg = legAfter(order, picked)) legs.push(leg)
    return paid === null ? [] : inOrder(legs, paid)
  })
}

/** Invariant: the pool, notified of a burn of its jettons, orders the router to pay, which pays. */
export const stonfiWithdrawal: Rule = {
  name: 'stonfi/withdrawal',
  begins: isCall(stonfiV2.burnNotification.opcode),
  match(notice) {
    const picked = new Picked()
    picked.add(notice)
    const burnt = JETTON_BURN.of(picked.previous(notice, (block) => JETTON_BURN.is(block)))
    const taken = takenAfter(notice, picked)
    if (burnt === undefined || taken.length === 0 || !isPaidTo(burnt.owner, taken)) return null
    const content = DEX_WITHDRAWAL.content({
      dex: 'stonfi_v2',
      sender: burnt.owner,
      senderWallet: burnt.wallet,
      lpBurnt: burnt.amount,
      pool: destinationOf(notice),
      taken,
      isRefund: false,
    })
    return { blocks: picked.blocks, content, failed: isUnpaidLeg(picked) }
  },
}

/** Invariant: the depositor's account, requested to, has the pool order the router to pay back, which pays. */
export const stonfiRefund: Rule = {
  name: 'stonfi/refund',
  begins: isCall(stonfiV2.refundMe.opcode),
  match(request) {
    const picked = new Picked(request)
    const refund = picked.next(request, isCall(stonfiV2.refund.opcode))
    const taken = refund === null ? [] : takenAfter(refund, picked)
    if (refund === null || taken.length === 0 || !isPaidTo(sourceOf(request), taken)) return null
    const content = DEX_WITHDRAWAL.content({
      dex: 'stonfi_v2',
      sender: sourceOf(request),
      lpBurnt: null,
      pool: destinationOf(refund),
      taken,
      isRefund: true,
    })
    return { blocks: picked.blocks, content, failed: isUnpaidLeg(picked) }
  },
}
