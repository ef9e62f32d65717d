// Text of strangers, of which any byte may be wrong.

import { utf8Text } from './snake.ts'

/** What the second byte of a character may be, by the first one; a few are narrower than the rest. */
const SECOND: Readonly<Record<number, readonly [least: number, most: number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
}
const ANY: readonly [number, number] = [0x80, 0xbf]

/** Length in bytes of the character at an offset, 0 when there is none. A decoder would throw for each wrong byte. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  const [least, most] = SECOND[first] ?? ANY
  const second = bytes[at + 1] ?? 0
  if (second < least || second > most) return 0
  for (let i = at + 2; i < at + length; i++) if (((bytes[i] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}

const ESCAPE_BYTES = 4
const BACKSLASH = 0x5c
const X = 0x78
const HEX = Buffer.from('0123456789abcdef')

/** Writes `\xNN`, from an offset on. */
function escapeInto(text: Uint8Array, at: number, byte: number): void {
  text[at] = BACKSLASH
  text[at + 1] = X
  text[at + 2] = HEX[byte >> 4] ?? 0
  text[at + 3] = HEX[byte & 15] ?? 0
}

/** Bytes that are no UTF-8 become `\xNN`; NUL, which no text column takes, is left out. */
export function lenientText(bytes: Uint8Array): string {
  const whole = utf8Text(bytes)
  if (whole !== null) return whole.replaceAll('\0', '')
  const text = Buffer.alloc(ESCAPE_BYTES * bytes.length)
  let end = 0
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at)
    if (length === 0) {
      escapeInto(text, end, bytes[at] ?? 0)
      end += ESCAPE_BYTES
    } else for (let i = at; i < at + length; i++) text[end++] = bytes[i] ?? 0
    at += Math.max(1, length)
  }
  return text.toString('utf8', 0, end).replaceAll('\0', '')
}
