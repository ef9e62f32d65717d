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

/** The payment that a block is; null when it is none, or another account than the pool sent it. */
function paidBy(pool: string | null, block: ActionBlock): PayoutV2 | null {
  const payout = isTransfer(block) || isTonPayout(block) ? payoutOf(block) : null
  return payout?.transfer.source === pool ? payout : null
}

/** The payment after `block`, picked; null without one. The logged amount is preferred, then jettons. */
export function payoutV2After(
  block: ActionBlock,
  pool: string | null,
  picked: Picked,
  logged: bigint | null,
): PayoutV2 | null {
  const isPaid = (next: ActionBlock): boolean => paidBy(pool, next) !== null
  const paid =
    picked.nextPayment(block, (next) => paidBy(pool, next)?.transfer.amount === logged) ??
    picked.nextPayment(block, (next) => isTransfer(next) && isPaid(next)) ??
    picked.nextPayment(block, isPaid)
  return paid === null ? null : paidBy(pool, paid)
}

export interface PaidV2 {
  readonly block: ActionBlock
  readonly transfer: SwapTransfer
}

/** Sender and recipient of a payment. */
interface Ends {
  readonly pool: string | null
  readonly receiver: string | null
}

/** The first payment after `block` that passes `test`, picked. */
export function payoutV2Of(
  { pool, receiver }: Ends,
  block: ActionBlock,
  picked: Picked,
  test: (paid: SwapTransfer) => boolean,
): PaidV2 | null {
  const isIt = (next: ActionBlock): boolean => {
    const paid = paidBy(pool, next)?.transfer
    return paid !== undefined && paid.destination === receiver && test(paid)
  }
  const found = picked.nextPayment(block, isIt)
  const paid = found === null ? null : paidBy(pool, found)
  return found === null || paid === null ? null : { block: found, transfer: paid.transfer }
}

/** Whether a payment is of this amount. */
export const isOf =
  (amount: bigint) =>
  (paid: SwapTransfer): boolean =>
    paid.amount === amount
