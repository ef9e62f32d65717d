// Messages between those who compute for Cocoon, those who pay for it, and the proxies between.

import { openCell, type Slice } from '../../../cell/index.ts'
import { orNull } from '../../../tlb/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import { readAddress } from '../../reading.ts'
import { Picked } from '../../rule.ts'

export const CLIENT_REQUEST = 0x65448ff4
export const PAYOUT = 0xc59a7cd3
export const EXCESSES = 0x2565934c

/** A block, and those it leads to one behind the other, with what was left over. */
export function pickChain(start: Block, ...opcodes: readonly number[]): Picked {
  const picked = new Picked(start)
  let last: Block | null = start
  picked.every(start, isCall(EXCESSES))
  for (const opcode of opcodes) {
    last = last === null ? null : picked.next(last, isCall(opcode))
    if (last !== null) picked.every(last, isCall(EXCESSES))
  }
  return picked
}

/** Whether all that a contract answers with is there: without it, a request is a call like any other. */
export const isAnswered = (start: Block, ...opcodes: readonly number[]): boolean =>
  opcodes.every((opcode) => start.next.some(isCall(opcode)))

/** The picked block that calls for an operation. */
export const pickedCall = (picked: Picked, opcode: number): Block | undefined => [...picked.blocks].find(isCall(opcode))

export const destinationOf = (block: Block | undefined): string | null => envelopeOf(block)?.destination ?? null

export const readQueryId = (body: Slice): bigint => body.loadUintBig(64)

/** A signed order: the message brings it in a reference, with its operation again, behind the receiver of excesses. */
export function readOrder(body: Slice) {
  const signed = openCell(body.loadRef()).skip(32)
  return {
    queryId: readQueryId(signed),
    tokens: signed.loadUintBig(64),
    /** The contract that the order is for. */
    expected: orNull(() => readAddress(signed)),
  }
}
