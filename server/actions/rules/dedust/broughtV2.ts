// Payments to a DeDust v2 pool: jettons or TON, with a cell that holds the purpose, such as a swap or a deposit.

import { dedustV2 } from '../../../bodies/index.ts'
import { type Cell, openCell, orNull, type Slice } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { carries, envelopeOf, isCall } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { legOf, type SwapTransfer, tonLeg } from '../exchanges/swap.ts'
import { forwardedAs, JETTON_TRANSFER } from '../jettons/transfer.ts'

const { payNative, payJetton } = dedustV2

const readPayment = fieldsOf(payNative, 'amount', 'purpose')
const readJettonPurpose = fieldsOf(payJetton, 'purpose')

function purposeOf(block: ActionBlock): Cell | null {
  if (isCall(payNative.opcode)(block)) return readBody(block, readPayment)?.purpose ?? null
  const payload = forwardedAs(block, payJetton)
  return payload === null ? null : orNull(() => readJettonPurpose(payload).purpose)
}

/** The fields of the purpose, after its opcode; null when the block pays for another purpose or pays nothing. */
export function openPurpose(block: ActionBlock, purpose: { begins(slice: Slice): boolean }): Slice | null {
  const cell = purposeOf(block)
  const slice = cell === null ? null : orNull(() => openCell(cell))
  return slice !== null && purpose.begins(slice) ? slice : null
}

/** The payment; null when the message carries less TON than its body claims. */
export function broughtBy(block: ActionBlock): SwapTransfer | null {
  const transfer = JETTON_TRANSFER.of(block)
  if (transfer !== undefined) return legOf(transfer)
  const from = envelopeOf(block)
  const amount = readBody(block, readPayment)?.amount
  return from !== undefined && carries(block, amount) ? tonLeg(from, amount ?? null) : null
}
