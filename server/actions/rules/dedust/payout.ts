// How vaults of DeDust pay.

import { dedust } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { carries, envelopeOf, isCall } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import type { Picked } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { legOf, type SwapTransfer, tonLeg } from '../exchanges/swap.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'

const readOrder = fieldsOf(dedust.payoutFromPool, 'amount')

/** The payment of a vault on `order`, picked; null until it has paid. */
export function dedustPayoutAfter(order: ActionBlock, picked: Picked): SwapTransfer | null {
  const requested = readBody(order, readOrder)
  const transfer = picked.next(order, isTransfer)
  const jettons = JETTON_TRANSFER.of(transfer)
  if (jettons !== undefined) return legOf(jettons)
  const payout = picked.nextPayment(order, isCall(dedust.payout.opcode))
  const paid = envelopeOf(payout)
  if (paid === undefined || requested === null || !carries(payout, requested.amount)) return null
  return tonLeg(paid, requested.amount)
}
