// Liquidity taken out of a pool of swap.coffee: its jettons are burnt, and two vaults pay.

import { coffee } from '../../../bodies/index.ts'
import { isCall, sourceOf } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isUnpaidLeg } from '../exchanges/legs.ts'
import { DEX_WITHDRAWAL, isPaidTo } from '../exchanges/withdrawal.ts'
import { JETTON_BURN } from '../jettons/burn.ts'
import { coffeePayoutAfter } from './payout.ts'

const readLog = fieldsOf(coffee.withdrawalLog)

/** Sides of a pool: one that pays more often is a stranger's, and its payments are actions of their own. */
const SIDES = 2

/** Invariant: the pool, whose jettons are burnt, logs what leaves it and orders vaults to pay, which pay. */
export const coffeeWithdrawal: Rule = {
  name: 'coffee/withdrawal',
  begins: (block) => JETTON_BURN.is(block),
  match(burn) {
    const burnt = JETTON_BURN.of(burn)
    const picked = new Picked(burn)
    const found = picked.next(burn, isCall(coffee.withdrawalLog.opcode))
    const log = found === null ? null : readBody(found, readLog)
    if (burnt === undefined || log === null) return null
    const orders = picked.every(burn, isCall(coffee.payoutOrder.opcode))
    const taken = orders.map((order) => coffeePayoutAfter(order, picked)).filter((payout) => payout !== null)
    // The pool says how much it gave; the vaults pay it in the pool's order.
    const given = [log.amount1, log.amount2].filter((amount) => amount > 0n)
    if (taken.length < given.length || taken.length > SIDES || taken.length !== orders.length) return null
    if (!isPaidTo(burnt.owner, taken)) return null
    const content = DEX_WITHDRAWAL.content({
      dex: 'coffee',
      sender: burnt.owner,
      senderWallet: burnt.wallet,
      lpBurnt: burnt.amount,
      pool: sourceOf(found) ?? burnt.asset,
      taken,
      isRefund: false,
    })
    return { blocks: picked.blocks, content, failed: burn.failed || isUnpaidLeg(picked) }
  },
}
