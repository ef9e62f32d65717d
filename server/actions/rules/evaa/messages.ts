// How the master of EVAA and the contracts of its users talk. What goes to a user's contract may carry its next
// version, so the operation follows a header.

import type { Slice } from '../../../cell/index.ts'
import { orNull } from '../../../tlb/index.ts'
import { CALL, envelopeOf, isCall, TON_TRANSFER } from '../../base.ts'
import type { Block } from '../../block.ts'
import { EXCESS } from '../../opcodes.ts'
import { hexOf } from '../../reading.ts'
import type { Picked } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { legOf, type SwapTransfer } from '../exchanges/swap.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'

/** The version, a next one if there is, and whether to take it. */
function skipHeader(body: Slice): Slice {
  body.loadCoins()
  body.loadMaybeRef()
  return body.skip(2)
}

/** The body a user's contract reads, behind its operation; null when that is another one. */
export const readUserCall = <T>(block: Block, opcode: number, read: (body: Slice) => T): T | null =>
  orNull(() => {
    const body = skipHeader(block.first.openBody())
    return body.loadUint(32) === opcode ? read(body) : null
  })

/** Whether a block calls a user's contract with one of these. */
export const isUserCall =
  (...opcodes: readonly number[]) =>
  (block: Block): boolean =>
    CALL.is(block) && opcodes.some((opcode) => readUserCall(block, opcode, () => true) === true)

/** An asset as EVAA names it. */
export const readAssetId = (slice: Slice): string => `0x${hexOf(slice.loadBytes(32))}`

/** The payload that follows the operation in a transfer of jettons. */
export function payloadAsking(block: Block | null, opcode: number): Slice | null {
  const payload = JETTON_TRANSFER.of(block)?.forwardPayload?.clone()
  return payload !== undefined && payload.remainingBits >= 32 && payload.loadUint(32) === opcode ? payload : null
}

/** TON paid out, as a transfer or together with a report. */
const isTonTo =
  (...reports: readonly number[]) =>
  (block: Block): boolean =>
    TON_TRANSFER.is(block) || isCall(...reports)(block)

/** What the master pays, picked. A report of what went well or ill comes with it. */
export function payoutAfter(block: Block, picked: Picked, reports: readonly number[]): SwapTransfer | null {
  const jettons = JETTON_TRANSFER.of(picked.next(block, isTransfer))
  if (jettons !== undefined) return legOf(jettons)
  const paid = envelopeOf(picked.next(block, isTonTo(...reports)))
  if (paid === undefined) return null
  const { source, destination, value: amount } = paid
  return { asset: null, source, destination, sourceWallet: null, destinationWallet: null, amount }
}

/** Logs, excesses and words of thanks a block sent, picked: they say nothing more. */
export function pickRest(block: Block, picked: Picked): void {
  picked.every(block, (next) => next.first.isLeaf || TON_TRANSFER.is(next) || isCall(EXCESS)(next))
}
