// Messages on a pipe between two processes: length, kind and number of the request, then the body. Texts of results are sent
// as they are; everything else, which may hold bigints, in the form of structured clones.

import { deserialize, serialize } from 'node:v8'

export const KIND = { request: 0, cancel: 1, result: 2, text: 3, failure: 4, notice: 5 } as const

type Kind = (typeof KIND)[keyof typeof KIND]

export interface Frame {
  readonly kind: number
  readonly id: number
  readonly body: unknown
}

const HEADER_BYTES = 9
const NOTHING = Buffer.alloc(0)

function bodyOf(kind: Kind, body: unknown): Buffer {
  if (kind === KIND.cancel) return NOTHING
  return kind === KIND.text ? Buffer.from(String(body)) : serialize(body)
}

/** Header and body. */
export function encodeFrame(kind: Kind, id: number, body: unknown): readonly [Buffer, Buffer] {
  const content = bodyOf(kind, body)
  const header = Buffer.allocUnsafe(HEADER_BYTES)
  header.writeUInt32LE(content.length, 0)
  header.writeUInt8(kind, 4)
  header.writeUInt32LE(id, 5)
  return [header, content]
}

function decode(kind: number, content: Buffer): unknown {
  if (kind === KIND.cancel) return null
  return kind === KIND.text ? content.toString() : deserialize(content)
}

/** Takes the bytes as they come and calls back with each whole frame. */
export function frameReader(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let pieces: Buffer[] = []
  let size = 0
  let wanted = HEADER_BYTES
  return (chunk) => {
    pieces.push(chunk)
    size += chunk.length
    // Joined only when a whole frame is there: a long one comes in many chunks.
    if (size < wanted) return
    let rest = pieces.length === 1 ? chunk : Buffer.concat(pieces, size)
    for (;;) {
      if (rest.length < HEADER_BYTES) break
      const end = HEADER_BYTES + rest.readUInt32LE(0)
      if (rest.length < end) break
      const kind = rest.readUInt8(4)
      onFrame({ kind, id: rest.readUInt32LE(5), body: decode(kind, rest.subarray(HEADER_BYTES, end)) })
      rest = rest.subarray(end)
    }
    wanted = rest.length < HEADER_BYTES ? HEADER_BYTES : HEADER_BYTES + rest.readUInt32LE(0)
    pieces = rest.length === 0 ? [] : [rest]
    size = rest.length
  }
}
