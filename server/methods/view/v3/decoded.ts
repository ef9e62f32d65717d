// Decoded bodies, for every result with a message or a payload.

import { LRUCache } from 'lru-cache'
import { BocError, hashFromBytes, readBoc } from '../../../cell/index.ts'
import { decodeBody as decodeCell, knownOperationName, withCommentFields } from '../../../decode/index.ts'
import type { MessageRow } from '../../../store/index.ts'

export interface DecodedView {
  /** Name of its opcode. */
  readonly opcode: string | null
  /** Its body by the schema that fits. */
  readonly body: Record<string, unknown> | null
}

type Body = DecodedView['body']

/** Bytes of cached bodies, and characters of their decoded form. */
const MOST_BYTES = 4 << 20
/** Of a cache entry, besides its bytes. */
const ENTRY_BYTES = 256

/** Bodies repeat: most are empty, the same comment, or part of many answers. By hash. */
const known = new LRUCache<string, { readonly body: Body }>({ maxSize: MOST_BYTES })

/** A decoded payload; null without a payload, or when no scheme fits. */
export function decodePayload(payload: Uint8Array | null): Body {
  if (payload === null) return null
  try {
    return withCommentFields(decodeCell(readBoc(payload)))
  } catch (error) {
    // A body that was cut out of a proof.
    if (error instanceof BocError) return null
    throw error
  }
}

/** A small body can decode to much text. */
const sizeOf = (body: Body): number => (body === null ? 0 : JSON.stringify(body).length)

function bodyOf({ bodyHash, body }: MessageRow): Body {
  const name = hashFromBytes(bodyHash)
  const cached = known.get(name)
  if (cached !== undefined) return cached.body
  const decoded = decodePayload(body)
  known.set(name, { body: decoded }, { size: body.byteLength + ENTRY_BYTES + sizeOf(decoded) })
  return decoded
}

export const decodedBodyOf = (message: MessageRow): DecodedView => ({
  opcode: message.opcode === null ? null : knownOperationName(message.opcode >>> 0),
  body: bodyOf(message),
})
