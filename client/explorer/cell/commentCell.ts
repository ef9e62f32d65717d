// Bodies of messages that need no description of the contract.

import { fromHex } from '../../../shared/hex.ts'
import { BagBuilder, snakeCell } from './build.ts'
import type { BagCell } from './readBag.ts'

const COMMENT_TAG = 4

/** A text for the recipient. */
export function commentCell(text: string): BagCell {
  const letters = new TextEncoder().encode(text)
  const bytes = new Uint8Array(COMMENT_TAG + letters.length)
  bytes.set(letters, COMMENT_TAG)
  return snakeCell(bytes)
}

/** An opcode and a query id of 0; null for text that is no opcode. */
export function opcodeBody(opcode: string): BagCell | null {
  const digits = /^(?:0x)?([0-9a-f]{1,8})$/i.exec(opcode.trim())?.[1]
  const bytes = digits === undefined ? null : fromHex(digits.padStart(8, '0'))
  return bytes && new BagBuilder().bytes(bytes).uint(0, 64).end()
}
