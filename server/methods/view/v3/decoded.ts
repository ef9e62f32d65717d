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

const textOf = (hash: Uint8Array, bagOf: () => Uint8Array): string => {
  const name = hashFromBytes(hash)
  return (known.get(name) ?? decoded(name, bagOf())).json
}

interface Slot {
  readonly hash: Uint8Array
  readonly codes: Uint8Array
}

const HASH_BYTES = 32
/** Of the bodies that came last, by the beginning of the hash: one takes the place of another. */
const slots = new Array<Slot | null>(1024).fill(null)
/** A longer text is made again of the cached one. */
const MOST_CODES = 512

function isHash({ hash }: Slot, source: Uint8Array, at: number): boolean {
  for (let i = 0; i < HASH_BYTES; i++) if (hash[i] !== source[at + i]) return false
  return true
}

/**
 * The decoded form of a body as JSON, in UTF-8, by the hash at a place: without a name for the cache, which a page of messages makes of
 * each. `bagOf` is called only when it has to be decoded.
 */
export function decodedCodesOf(source: Uint8Array, at: number, bagOf: () => Uint8Array): Uint8Array {
  const number = (((source[at] ?? 0) << 8) | (source[at + 1] ?? 0)) % slots.length
  const slot = slots[number] ?? null
  if (slot !== null && isHash(slot, source, at)) return slot.codes
  const hash = new Uint8Array(source.subarray(at, at + HASH_BYTES))
  const codes = new Uint8Array(Buffer.from(textOf(hash, bagOf)))
  if (codes.length <= MOST_CODES) slots[number] = { hash, codes }
  return codes
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
