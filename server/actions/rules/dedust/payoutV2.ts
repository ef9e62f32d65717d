// What a pool of DeDust v2 pays: it keeps its assets itself, so that no vault comes between.

import { dedustV2 } from '../../../bodies/index.ts'
import { orNull } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { carries, envelopeOf, isCall } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import type { Picked } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { legOf, type SwapTransfer, tonLeg } from '../exchanges/swap.ts'
import { forwardedAs, JETTON_TRANSFER } from '../jettons/transfer.ts'

export interface PayoutV2 {
  readonly transfer: SwapTransfer
  /** Zero unless what came in went back; null where nothing says so. */
  readonly exitCode: number | null
}

const readPayout = fieldsOf(dedustV2.payout, 'amount', 'exitCode')

/** Picked; null without one behind `block`. */
export function payoutV2After(block: ActionBlock, picked: Picked): PayoutV2 | null {
  const paid = picked.next(block, isTransfer)
  const jettons = JETTON_TRANSFER.of(paid)
  if (jettons !== undefined) {
    const payload = forwardedAs(paid, dedustV2.payout)
    const exitCode = payload === null ? null : (orNull(() => readPayout(payload))?.exitCode ?? null)
    return { transfer: legOf(jettons), exitCode }
  }
  const order = picked.next(block, isCall(dedustV2.payout.opcode))
  const envelope = envelopeOf(order)
  const said = order === null ? null : readBody(order, readPayout)
  if (envelope === undefined || said === null || !carries(order, said.amount)) return null
  return { transfer: tonLeg(envelope, said.amount), exitCode: said.exitCode }
}
