// The comment that is forwarded with an item, which the public service reads by other rules than comments of transfers.

import { base64Of, type Cell, openCell, type Slice } from '../../../cell/index.ts'
import { utf8Text } from '../../../tlb/index.ts'
import { type Comment, NO_COMMENT } from '../../comment.ts'
import { ENCRYPTED_COMMENT, TEXT_COMMENT } from '../../opcodes.ts'

/** A character of UTF-8 in bytes that are read as Latin-1, or a byte that is part of none. */
const CHARACTER =
  /([^\x80-\xff]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})|[\x80-\xff]/g

const REPLACEMENT = '\xef\xbf\xbd'

/** Each byte that is no UTF-8 becomes U+FFFD; NUL, which no text column takes, is left out. */
function replacedText(bytes: Buffer): string {
  const fixed = bytes.toString('latin1').replace(CHARACTER, (_, valid: string | undefined) => valid ?? REPLACEMENT)
  return Buffer.from(fixed, 'latin1').toString()
}

/** Bits that go on from cell to cell, each cell's filled up to whole bytes; null for cells that branch. */
function filledBytes(start: Slice): Buffer | null {
  const parts: Uint8Array[] = []
  for (let slice = start; ; slice = openCell(slice.loadRef())) {
    parts.push(slice.loadBytes(slice.remainingBits >> 3))
    const rest = slice.remainingBits
    if (rest > 0) parts.push(Uint8Array.of(slice.loadUint(rest) << (8 - rest)))
    if (slice.remainingRefs > 1) return null
    if (slice.remainingRefs === 0) return Buffer.concat(parts)
    if (slice.preloadRef().isExotic) return null
  }
}

export function forwardedComment(payload: Cell): Comment {
  if (payload.isExotic || payload.bits < 32) return NO_COMMENT
  const slice = openCell(payload)
  const opcode = slice.loadUint(32)
  const isEncrypted = opcode === ENCRYPTED_COMMENT
  const bytes = isEncrypted || opcode === TEXT_COMMENT ? filledBytes(slice) : null
  if (bytes === null) return NO_COMMENT
  return {
    text: isEncrypted ? base64Of(bytes) : (utf8Text(bytes) ?? replacedText(bytes)).replaceAll('\0', ''),
    isEncrypted,
  }
}
