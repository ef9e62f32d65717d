// How vaults of swap.coffee pay.

import { coffee } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { carries, envelopeOf, isCall, sourceOf } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked } from '../../rule.ts'
import type { AssetAmount } from '../exchanges/deposit.ts'
import { hasNotArrived, isTransfer } from '../exchanges/legs.ts'
import { legOf, type SwapTransfer, tonLeg } from '../exchanges/swap.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'

const { payout, payoutOrder, notification } = coffee

const isPayout = isCall(payout.opcode)

const readOrder = fieldsOf(payoutOrder, 'amount')

/** The payment of a vault on `order`, picked; null until it has paid. */
export function coffeePayoutAfter(order: ActionBlock, picked: Picked): SwapTransfer | null {
  const transfer = JETTON_TRANSFER.of(picked.next(order, isTransfer))
  if (transfer !== undefined) return legOf(transfer)
  // A notice for another account than the receiver goes out before the payout, and carries but the gas for it.
  const block = picked.nextPayment(order, isPayout) ?? picked.nextPayment(order, isCall(notification.opcode))
  const paid = envelopeOf(block)
  const ordered = readBody(order, readOrder)
  if (block === null || paid === undefined || ordered === null) return null
  // A leg has no place for what is paid in another currency: the TON with it is for the way.
  const isOfTon = Object.keys(paid.extraCurrencies).length === 0
  // A plain payout is the pool's; one that goes on with a message is its vault's, and all that the message carries.
  if (!isPayout(block)) return tonLeg(paid, isOfTon ? paid.value : null)
  const ends = { source: sourceOf(order), destination: paid.destination }
  if (!isOfTon) return tonLeg(ends, null)
  return carries(block, ordered.amount) ? tonLeg(ends, ordered.amount) : null
}

/** What vaults gave back on the orders of `from`, picked; only payments that have arrived. */
export function coffeeReturnsAfter(from: ActionBlock, picked: Picked): AssetAmount[] {
  return from.next.filter(isCall(payoutOrder.opcode)).flatMap((order) => {
    const payment = new Picked()
    const paid = coffeePayoutAfter(order, payment)
    if (paid === null) return []
    picked.add(order)
    for (const block of payment.blocks) picked.blocks.add(block)
    return [...payment.blocks].some(hasNotArrived) ? [] : [{ asset: paid.asset, amount: paid.amount }]
  })
}

/** Whether a contract that collects two sides had this one already, and has what came in sent back. */
export const hasRefusedSide = (collector: ActionBlock): boolean => collector.next.some(isCall(payoutOrder.opcode))
