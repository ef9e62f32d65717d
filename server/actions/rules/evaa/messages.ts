// How the master of EVAA and the contracts of its users talk. What goes to a user's contract may carry its next
// version, so the operation follows a header.

import { type BodyDefinition, evaaHeader } from '../../../bodies/index.ts'
import { openCell, orNull, type Slice } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { CALL, envelopeOf, isCall, TON_TRANSFER } from '../../base.ts'
import type { Node } from '../../node.ts'
import { EXCESS } from '../../opcodes.ts'
import { fieldsOf, hexOfBytes } from '../../reading.ts'
import type { Picked } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { legOf, type SwapTransfer, tonLeg } from '../exchanges/swap.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'

const readHeader = fieldsOf(evaaHeader, 'operation')

/** The body a user's contract reads, behind its operation; null when that is another one. */
export const readUserCall = <T>(block: ActionBlock, { opcode }: BodyDefinition, read: (body: Slice) => T): T | null =>
  orNull(() => {
    const body = block.first.openBody()
    return readHeader(body).operation === opcode ? read(body) : null
  })

/** Length of the amount that a header begins with, and what follows the amount. */
const LENGTH_BITS = 4
const VERSION_BITS = 1 + 2
const REST_BITS = VERSION_BITS + 32

/** Any call may follow one of EVAA's: a read that fails captures a stack, so most that would are found out before. */
function mayHaveHeader({ body }: Node): boolean {
  if (body === null || body.bits < LENGTH_BITS) return false
  return body.bits >= LENGTH_BITS + 8 * openCell(body).preloadUint(LENGTH_BITS) + REST_BITS
}

const operations = new WeakMap<Node, number | null>()

/** The operation behind the header of a message. */
function operationOf(node: Node): number | null {
  const known = operations.get(node)
  if (known !== undefined) return known
  const operation = mayHaveHeader(node) ? orNull(() => readHeader(node.openBody()).operation) : null
  operations.set(node, operation)
  return operation
}

/**
 * Whether a body whose first 32 bits these are may call for an operation behind a header: a short amount leaves room for
 * the operation to begin there. Any call may follow one of EVAA's, and this needs none of its cells.
 */
function mayCallFor(operation: number, firstBits: number): boolean {
  const shown = 32 - (LENGTH_BITS + 8 * (firstBits >>> 28) + VERSION_BITS)
  return shown <= 0 || operation >>> (32 - shown) === (firstBits & (2 ** shown - 1))
}

/** Whether a block calls a user's contract with one of these. */
export const isUserCall =
  (...calls: readonly BodyDefinition[]) =>
  (block: ActionBlock): boolean => {
    const firstBits = CALL.of(block)?.opcode
    if (firstBits == null || !calls.some(({ opcode }) => mayCallFor(opcode, firstBits))) return false
    const operation = operationOf(block.first)
    return calls.some(({ opcode }) => opcode === operation)
  }

/** An asset as EVAA names it. */
export const assetName = (id: Uint8Array): string => `0x${hexOfBytes(id)}`

export type Parties = readonly (string | null | undefined)[]

interface Payout {
  /** Operations that report what went well or ill, and may carry the TON. */
  readonly reports: readonly number[]
  /** Allowed recipients: the same contract may pay others in the same transaction. */
  readonly to: Parties
}

/** What the master pays, picked. */
export function evaaPayoutAfter(block: ActionBlock, picked: Picked, { reports, to }: Payout): SwapTransfer | null {
  const isReport = isCall(...reports)
  const jettons = JETTON_TRANSFER.of(
    picked.next(block, (next) => isTransfer(next) && to.includes(JETTON_TRANSFER.of(next)?.receiver)),
  )
  if (jettons !== undefined) return legOf(jettons)
  const paid = envelopeOf(
    picked.nextPayment(
      block,
      (next) => (TON_TRANSFER.is(next) || isReport(next)) && to.includes(envelopeOf(next)?.destination),
    ),
  )
  return paid === undefined ? null : tonLeg(paid, paid.value)
}

/** Logs, excesses and the TON that is left for one of them, picked: they say nothing more. */
export function pickRest(block: ActionBlock, picked: Picked, to: Parties): void {
  picked.every(block, (next) => next.first.isLeaf || isCall(EXCESS)(next))
  picked.next(block, (next) => TON_TRANSFER.is(next) && to.includes(TON_TRANSFER.of(next)?.destination))
}
