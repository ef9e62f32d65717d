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

const isTonPayout = isCall(dedustV2.payout.opcode)

function payoutOf(block: ActionBlock): PayoutV2 | null {
  const jettons = JETTON_TRANSFER.of(block)
  if (jettons !== undefined) {
    const payload = forwardedAs(block, dedustV2.payout)
    const exitCode = payload === null ? null : (orNull(() => readPayout(payload))?.exitCode ?? null)
    return { transfer: legOf(jettons), exitCode }
  }
  const envelope = envelopeOf(block)
  const said = readBody(block, readPayout)
  if (envelope === undefined || said === null || !carries(block, said.amount)) return null
  return { transfer: tonLeg(envelope, said.amount), exitCode: said.exitCode }
}

/** Picked; null without one behind `block`. Jettons come first. */
export function payoutV2After(block: ActionBlock, picked: Picked): PayoutV2 | null {
  const paid = picked.next(block, isTransfer) ?? picked.next(block, isTonPayout)
  return paid === null ? null : payoutOf(paid)
}

export interface PaidV2 {
  readonly block: ActionBlock
  readonly transfer: SwapTransfer
}

/** The first that a pool paid `receiver` behind `block` and that passes, picked. */
export function payoutV2Of(
  receiver: string | null,
  block: ActionBlock,
  picked: Picked,
  test: (paid: SwapTransfer) => boolean,
): PaidV2 | null {
  const paidBy = (next: ActionBlock) => (isTransfer(next) || isTonPayout(next) ? payoutOf(next)?.transfer : undefined)
  const isIt = (next: ActionBlock): boolean => {
    const paid = paidBy(next)
    return paid !== undefined && paid.destination === receiver && test(paid)
  }
  const found = picked.next(block, isIt)
  const transfer = found === null ? undefined : paidBy(found)
  return found === null || transfer === undefined ? null : { block: found, transfer }
}

/** Whether a payment is of this amount. */
export const isOf =
  (amount: bigint) =>
  (paid: SwapTransfer): boolean =>
    paid.amount === amount
