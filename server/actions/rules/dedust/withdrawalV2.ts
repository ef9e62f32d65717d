// Liquidity withdrawn from a DeDust v2 pool: the owner's position contract releases it, and the pool pays both assets.

import { dedustV2 } from '../../../bodies/index.ts'
import { destinationOf, isBounce, isCall, sourceOf } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isUnpaidLeg } from '../exchanges/legs.ts'
import { DEX_WITHDRAWAL } from '../exchanges/withdrawal.ts'
import { isOf, payoutV2Of } from './payoutV2.ts'

const readRequest = fieldsOf(dedustV2.withdraw)
const readLog = fieldsOf(dedustV2.withdrawalLog)

/**
 * Invariant: the pool calls the position contract, which calls it back; the pool logs both amounts and pays them to the
 * sender of the request. Without the log the withdrawal was refused.
 */
export const dedustWithdrawalV2: Rule = {
  name: 'dedust/withdrawalV2',
  begins: isCall(dedustV2.withdraw.opcode),
  match(request) {
    const asked = readBody(request, readRequest)
    // The pool then pays fees in the same way, so a payment of fees looks like a payment of liquidity.
    if (asked === null || asked.claimsFees) return null
    const picked = new Picked(request)
    const order = picked.next(request, isCall(dedustV2.withdrawLiquidity.opcode))
    const exit = order === null ? undefined : order.next.find(isCall(dedustV2.exitLiquidity.opcode))
    if (exit === undefined) return null
    // The returned gas stays a separate action.
    for (const block of [exit, ...exit.next.filter(isBounce)]) picked.blocks.add(block)
    const logged = picked.next(exit, isCall(dedustV2.withdrawalLog.opcode))
    const log = logged === null ? null : readBody(logged, readLog)
    const owner = sourceOf(request)
    const pool = destinationOf(request)
    const owed = log === null ? [] : [log.amount1, log.amount2].filter((amount) => amount > 0n)
    const paid = owed.map((amount) => payoutV2Of({ pool, receiver: owner }, exit, picked, isOf(amount)))
    // The request may name another recipient, and the action has no field for one.
    if (paid.includes(null)) return null
    const content = DEX_WITHDRAWAL.content({
      dex: 'dedust_v2',
      sender: owner,
      pool,
      taken: paid.flatMap((side) => side?.transfer ?? []),
      lpBurnt: log?.liquidity ?? asked.liquidity,
      isRefund: log === null,
      hasNoJetton: true,
    })
    return { blocks: picked.blocks, content, failed: log === null || isUnpaidLeg(picked) }
  },
}
