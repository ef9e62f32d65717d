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

/** With its JSON text. */
interface DecodedBody {
  readonly body: Body
  readonly json: string
}

/** Bytes of cached bodies, and characters of their decoded form. */
const MOST_BYTES = 4 << 20
/** Of a cache entry, besides its bytes. */
const ENTRY_BYTES = 256

/** Bodies repeat: most are empty, the same comment, or part of many answers. By hash. */
const known = new LRUCache<string, DecodedBody>({ maxSize: MOST_BYTES })

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

function decoded(hash: string, body: Uint8Array): DecodedBody {
  const found = decodePayload(body)
  const made = { body: found, json: JSON.stringify(found) }
  // A small body can decode to much text, which is kept in two forms.
  known.set(hash, made, { size: body.byteLength + ENTRY_BYTES + 2 * made.json.length })
  return made
}

/** The decoded form of a body as JSON text. `bagOf` is called only when it has to be decoded. */
export function decodedTextOf(bodyHash: Uint8Array, bagOf: () => Uint8Array): string {
  const name = hashFromBytes(bodyHash)
  return (known.get(name) ?? decoded(name, bagOf())).json
}

/** A longer payload is seldom one that came before. */
const MOST_KEPT_PAYLOAD = 512

/** The decoded form of a payload as JSON text. */
export function decodedPayloadText(payload: Buffer): string {
  if (payload.length > MOST_KEPT_PAYLOAD) return JSON.stringify(decodePayload(payload))
  // By its bytes: no hash is a text of such characters.
  const name = `payload ${payload.toString('latin1')}`
  return (known.get(name) ?? decoded(name, payload)).json
}

function bodyOf({ bodyHash, body }: MessageRow): Body {
  const name = hashFromBytes(bodyHash)
  return (known.get(name) ?? decoded(name, body)).body
}

export const decodedBodyOf = (message: MessageRow): DecodedView => ({
  opcode: message.opcode === null ? null : knownOperationName(message.opcode >>> 0),
  body: bodyOf(message),
})
