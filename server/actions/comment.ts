// Comments: text behind the operation of a transfer, readable or encrypted.

import type { Slice } from '../cell/index.ts'
import { orNull, snakeBytes } from '../tlb/index.ts'
import { ENCRYPTED_COMMENT, TEXT_COMMENT } from './opcodes.ts'
import { base64 } from './reading.ts'

export interface Comment {
  /** Base64 when encrypted. */
  readonly text: string | null
  readonly isEncrypted: boolean
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const validText = (bytes: Uint8Array): string | null => {
  try {
    return strict.decode(bytes)
  } catch {
    return null
  }
}

/** Bytes a character takes whose first byte this is, as far as that one tells. */
const lengthFrom = (first: number): number => (first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4)

/** Bytes that are no UTF-8 become `\xNN`; NUL, which no text column takes, is left out. */
export function lenientText(bytes: Uint8Array): string {
  const whole = validText(bytes)
  if (whole !== null) return whole.replaceAll('\0', '')
  const parts: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0
    const length = lengthFrom(first)
    const text = at + length <= bytes.length ? validText(bytes.subarray(at, at + length)) : null
    parts.push(text ?? `\\x${first.toString(16).padStart(2, '0')}`)
    at += text === null ? 1 : length
  }
  return parts.join('').replaceAll('\0', '')
}

const NONE: Comment = { text: null, isEncrypted: false }

/** The comment a body or payload is, the operation first. */
export function readComment(body: Slice): Comment {
  const slice = body.clone()
  if (slice.remainingBits < 32) return NONE
  const opcode = slice.loadUint(32)
  const isEncrypted = opcode === ENCRYPTED_COMMENT
  if ((opcode !== TEXT_COMMENT && !isEncrypted) || slice.remainingBits < 8) return { text: null, isEncrypted }
  const bytes = orNull(() => snakeBytes(slice))
  if (bytes === null) return { text: null, isEncrypted }
  return { text: isEncrypted ? base64(bytes) : lenientText(bytes), isEncrypted }
}
