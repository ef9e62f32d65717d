// Text frames of a WebSocket without compression, written past the library: its way costs each of a thousand sockets what is the
// same for all of them. What the library writes itself is written at once as well, so that the order is kept.

import type { Duplex } from 'node:stream'
import { writeGathered } from './gathered.ts'

/** A whole text frame of a server (RFC 6455, 5.2). */
const WHOLE_TEXT = 0x81
const TWO_BYTES = 126
const EIGHT_BYTES = 127

function frameOf(text: string): Buffer {
  const size = Buffer.byteLength(text)
  const start = size < TWO_BYTES ? 2 : size < 1 << 16 ? 4 : 10
  const frame = Buffer.allocUnsafe(start + size)
  frame[0] = WHOLE_TEXT
  frame[1] = start === 2 ? size : start === 4 ? TWO_BYTES : EIGHT_BYTES
  if (start === 4) frame.writeUInt16BE(size, 2)
  if (start === 10) frame.writeBigUInt64BE(BigInt(size), 2)
  frame.write(text, start)
  return frame
}

let last = { text: '', frame: frameOf('') }

/** Writes a text to a connection. One goes to many in a row: its frame is made once. */
export function writeFrame(socket: Duplex, text: string): void {
  if (text !== last.text) last = { text, frame: frameOf(text) }
  writeGathered(socket, last.frame)
}
