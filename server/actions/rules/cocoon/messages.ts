// Messages between those who compute for Cocoon, those who pay for it, and the proxies between.

import { cocoon, cocoonOrder } from '../../../bodies/index.ts'
import { type Cell, openCell, orNull } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { cameBack, isCall } from '../../base.ts'
import { fieldsOf } from '../../reading.ts'
import { Picked } from '../../rule.ts'

export const CLIENT_REQUEST = cocoon.clientRequest.opcode
export const PAYOUT = cocoon.payout.opcode
export const EXCESSES = cocoon.excesses.opcode

/** A block, and those it leads to one behind the other, with what was left over. */
export function pickChain(start: ActionBlock, ...opcodes: readonly number[]): Picked {
  const picked = new Picked(start)
  let last: ActionBlock | null = start
  picked.every(start, isCall(EXCESSES))
  for (const opcode of opcodes) {
    last = last === null ? null : picked.next(last, isCall(opcode))
    if (last !== null) picked.every(last, isCall(EXCESSES))
  }
  return picked
}

/** Whether all that a contract answers with is there: without it, a request is a call like any other. */
export const isAnswered = (start: ActionBlock, ...opcodes: readonly number[]): boolean =>
  opcodes.every((opcode) => start.next.some(isCall(opcode)))

/** The picked block that calls for an operation. */
export const pickedCall = (picked: Picked, opcode: number): ActionBlock | undefined =>
  [...picked.blocks].find(isCall(opcode))

/** Whether what was to be paid came back. */
export function isUnpaid(picked: Picked): boolean {
  const payout = pickedCall(picked, PAYOUT)
  return payout !== undefined && cameBack(payout)
}

const readSigned = fieldsOf(cocoonOrder, 'queryId', 'tokens')
const readExpected = fieldsOf(cocoonOrder, 'expected')

/** A signed order. */
export function readOrder({ order }: { readonly order: Cell }) {
  const { queryId, tokens } = readSigned(openCell(order))
  /** The contract that the order is for. */
  const expected = orNull(() => readExpected(openCell(order)).expected)
  return { queryId, tokens, expected }
}
