// Liquidity taken out of a pool of DeDust: its jettons are burnt, and two vaults pay.

import { dedust } from '../../../bodies/index.ts'
import { destinationOf, isCall, sourceOf } from '../../base.ts'
import { JETTON_BURN_NOTIFICATION, JETTON_BURN_OPCODE } from '../../opcodes.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isUnpaidLeg } from '../exchanges/legs.ts'
import { DEX_WITHDRAWAL, isPaidTo } from '../exchanges/withdrawal.ts'
import { burntAmount } from '../jettons/burn.ts'
import { dedustPayoutAfter } from './payout.ts'

/** Invariant: the pool, notified of a burn of its jettons, orders two vaults to pay, which pay. */
export const dedustWithdrawal: Rule = {
  name: 'dedust/withdrawal',
  begins: isCall(JETTON_BURN_OPCODE),
  match(request) {
    const picked = new Picked(request)
    const notice = picked.next(request, isCall(JETTON_BURN_NOTIFICATION))
    const orders = notice === null ? [] : picked.every(notice, isCall(dedust.payoutFromPool.opcode))
    const taken = orders.map((order) => dedustPayoutAfter(order, picked)).filter((paid) => paid !== null)
    if (notice === null || taken.length !== 2 || !isPaidTo(sourceOf(request), taken)) return null
    picked.next(notice, isCall(dedust.withdrawalLog.opcode))
    const content = DEX_WITHDRAWAL.content({
      dex: 'dedust',
      sender: sourceOf(request),
      senderWallet: destinationOf(request),
      pool: destinationOf(notice),
      taken,
      lpBurnt: burntAmount(request),
    })
    return { blocks: picked.blocks, content, failed: isUnpaidLeg(picked) }
  },
}
