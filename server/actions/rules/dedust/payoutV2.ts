// What a pool of DeDust v2 pays: it keeps its assets itself, so that no vault comes between.

import type { Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import { readBody } from '../../reading.ts'
import type { Picked } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { legOf, type SwapTransfer } from '../exchanges/swap.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'

/** TON, or the word that comes with jettons. */
const PAYOUT = 0x3216ca09

export interface PayoutV2 {
  readonly transfer: SwapTransfer
  /** Zero unless what came in went back; null where nothing says so. */
  readonly exitCode: number | null
}

const readPayout = (body: Slice) => ({ amount: body.skip(64).loadCoins(), exitCode: body.loadInt(32) })

function exitCodeIn(payload: Slice | null): number | null {
  const slice = payload?.clone()
  if (slice === undefined || slice.remainingBits < 32 + 64 || slice.loadUint(32) !== PAYOUT) return null
  return readPayout(slice).exitCode
}

/** Picked; null when there is none behind `block`. */
export function payoutV2After(block: Block, picked: Picked): PayoutV2 | null {
  const jettons = JETTON_TRANSFER.of(picked.next(block, isTransfer))
  if (jettons !== undefined) return { transfer: legOf(jettons), exitCode: exitCodeIn(jettons.forwardPayload) }
  const order = picked.next(block, isCall(PAYOUT))
  const envelope = envelopeOf(order)
  const said = order === null ? null : readBody(order, readPayout)
  if (envelope === undefined || said === null) return null
  const { source, destination } = envelope
  const ends = { source, destination, sourceWallet: null, destinationWallet: null }
  return { transfer: { asset: null, amount: said.amount, ...ends }, exitCode: said.exitCode }
}
