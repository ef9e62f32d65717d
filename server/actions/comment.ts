// Comments: text behind the operation of a transfer, readable or encrypted.

import { base64Of, openAny, orNull, type Slice } from '../cell/index.ts'
import { lenientText, snakeBytes } from '../tlb/index.ts'
import { ENCRYPTED_COMMENT, TEXT_COMMENT } from './opcodes.ts'

export interface Comment {
  /** Base64 when encrypted. */
  readonly text: string | null
  readonly isEncrypted: boolean
}

export const NO_COMMENT: Comment = { text: null, isEncrypted: false }

/** The comment a body is, the operation first; none where there is no text behind it. */
export const readComment = (body: Slice): Comment => readText(body, 8)

/** The comment that is forwarded with a transfer of jettons, which may be empty; one that cannot be read is not encrypted. */
export function readForwardedComment(payload: Slice): Comment {
  const comment = readText(payload, 0)
  return comment.text === null ? NO_COMMENT : comment
}

function readText(body: Slice, leastBits: number): Comment {
  const slice = body.clone()
  if (slice.remainingBits < 32) return NO_COMMENT
  const opcode = slice.loadUint(32)
  const isEncrypted = opcode === ENCRYPTED_COMMENT
  if ((opcode !== TEXT_COMMENT && !isEncrypted) || slice.remainingBits < leastBits) return { text: null, isEncrypted }
  // The reference follows cells of any kind.
  const bytes = orNull(() => snakeBytes(slice, undefined, openAny))
  if (bytes === null) return { text: null, isEncrypted }
  return { text: isEncrypted ? base64Of(bytes) : lenientText(bytes), isEncrypted }
}
