// Writes small bags of cells in the browser: bodies of messages a person composes.

import { toBase64 } from '../../../shared/base64.ts'
import { fromHex } from '../../../shared/hex.ts'

interface Draft {
  readonly data: Uint8Array
  readonly next: Draft | null
}

const MOST_BYTES = 127
const MOST_CELLS = 200

/** Bytes over as many cells as they need, each referring to the next: the form of long comments. */
function snake(bytes: Uint8Array): Draft[] {
  const cells: Draft[] = []
  const count = Math.max(1, Math.ceil(bytes.length / MOST_BYTES))
  if (count > MOST_CELLS)
    throw new RangeError(`This is longer than the ${MOST_CELLS * MOST_BYTES} bytes that are sent.`)
  for (let i = count - 1; i >= 0; i--)
    cells.unshift({ data: bytes.subarray(i * MOST_BYTES, (i + 1) * MOST_BYTES), next: cells[0] ?? null })
  return cells
}

/** A bag of cells of whole bytes, base64, without a checksum. */
function bagOfBytes(bytes: Uint8Array): string {
  const cells = snake(bytes)
  const body = cells.flatMap(({ data, next }, i) => [
    next === null ? 0 : 1,
    2 * data.length,
    ...data,
    ...(next === null ? [] : [i + 1]),
  ])
  const header = [0xb5, 0xee, 0x9c, 0x72, 1, 2, cells.length, 1, 0, body.length >> 8, body.length & 255, 0]
  return toBase64(Uint8Array.from([...header, ...body]))
}

const COMMENT_TAG = 4

/** The body of a message with a text for its recipient. */
export function bagOfComment(text: string): string {
  const letters = new TextEncoder().encode(text)
  const bytes = new Uint8Array(COMMENT_TAG + letters.length)
  bytes.set(letters, COMMENT_TAG)
  return bagOfBytes(bytes)
}

/** The body of a message that begins with an opcode and a query id of 0. */
export function bagOfOpcode(opcode: string): string | null {
  const digits = /^(?:0x)?([0-9a-f]{1,8})$/i.exec(opcode.trim())?.[1]
  const bytes = digits === undefined ? null : fromHex(digits.padStart(8, '0'))
  return bytes && bagOfBytes(Uint8Array.from([...bytes, 0, 0, 0, 0, 0, 0, 0, 0]))
}
