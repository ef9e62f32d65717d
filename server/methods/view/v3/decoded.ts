// Decoded bodies, for every result with a message or a payload.

import { LRUCache } from 'lru-cache'
import { BocError, type Cell, hashFromBytes, MAX_DEPTH, readBoc } from '../../../cell/index.ts'
import { decodeBody as decodeCell, withCommentFields } from '../../../decode/index.ts'
import { memoryPlan } from '../../../process/index.ts'
import type { MessageRow, TextBytes } from '../../../store/index.ts'
import { operationNameOf } from '../operationNameOf.ts'
import { DecodedTexts } from './decodedTexts.ts'
import { treeBytes } from './treeBytes.ts'

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
  /** Bytes of its tree. */
  readonly tree: number
}

/** Bytes of cached bodies, and characters of their decoded form. */
const MOST_BYTES = 4 << 20
/** Of a cache entry, besides its bytes. */
const ENTRY_BYTES = 256

/** Bodies repeat: most are empty, the same comment, or part of many answers. By hash. */
const known = new LRUCache<string, DecodedBody>({ maxSize: MOST_BYTES })

/** The tree of a cached body is counted no further than some more than this. */
const MOST_TREE = 512 << 10

/** As `v3.decode` reads them: a network may allow messages as deep as cells can be. */
const DEEPEST = { maxDepth: MAX_DEPTH } as const

/** Null for a body that was cut out of a proof. */
function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof BocError) return null
    throw error
  }
}

const decode = (cell: Cell): Body => withCommentFields(decodeCell(cell))

/** A decoded payload; null without a payload, or when no scheme fits. */
export const decodePayload = (payload: Uint8Array | null): Body =>
  payload === null ? null : orNull(() => decode(readBoc(payload, DEEPEST)))

interface OpenedBody {
  readonly cell: Cell | null
  readonly tree: number
}

function open(bag: Uint8Array, mostTree = MOST_TREE): OpenedBody {
  const cell = orNull(() => readBoc(bag, DEEPEST))
  return { cell, tree: cell === null ? 0 : treeBytes(cell, mostTree) }
}

function read({ cell, tree }: OpenedBody): DecodedBody {
  const body = cell === null ? null : orNull(() => decode(cell))
  return { body, json: JSON.stringify(body), tree }
}

/** A small body can decode to much text, which is kept in two forms. */
const keep = (name: string, bag: Uint8Array, found: DecodedBody): void =>
  void known.set(name, found, { size: bag.byteLength + ENTRY_BYTES + 2 * found.json.length })

function decoded(name: string, bag: Uint8Array, opened?: OpenedBody): DecodedBody {
  const before = known.get(name)
  if (before !== undefined) return before
  const found = read(opened ?? open(bag))
  keep(name, bag, found)
  return found
}

const HASH_BYTES = 32
/** Decoded texts of bodies in rows that are written as they were received; long ones are elsewhere. */
let texts: DecodedTexts | null = null

/** Made on first use: by then the memory of the process is planned. */
function decodedTexts(): DecodedTexts {
  texts ??= new DecodedTexts({ bytes: memoryPlan().decodedTexts << 20 })
  return texts
}

/**
 * Adds the decoded form of a body as JSON, by the hash at a place: without a name for the cache, which a page of messages makes of each.
 * `bagOf` is called only when it has to be decoded.
 */
export function addDecoded(source: Uint8Array, at: number, bagOf: () => Uint8Array, to: TextBytes): void {
  const cache = decodedTexts()
  if (cache.add(source, at, to)) return
  const name = hashFromBytes(source.subarray(at, at + HASH_BYTES))
  const add = ({ json }: DecodedBody): boolean => {
    const from = to.at
    to.string(json)
    return cache.keep(source, at, to.written(from))
  }
  const cached = known.get(name)
  if (cached !== undefined) return void add(cached)
  const bag = bagOf()
  const found = read(open(bag))
  if (!add(found)) keep(name, bag, found)
}

/** A longer payload is seldom one that came before. */
const MOST_KEPT_PAYLOAD = 512

/** The decoded form of a payload as JSON text. */
export function decodedPayloadText(payload: Buffer): string {
  if (payload.length > MOST_KEPT_PAYLOAD) return JSON.stringify(decodePayload(payload))
  // By its bytes: no hash is a text of such characters.
  const name = `payload ${payload.toString('latin1')}`
  return decoded(name, payload).json
}

function bodyOf({ bodyHash, body }: MessageRow): Body {
  return decoded(hashFromBytes(bodyHash), body).body
}

interface DecodedSize {
  /** Characters of the decoded body. */
  readonly length: number
  /** Bytes of the tree of the body. */
  readonly tree: number
}

/** Null for a body that is not decoded, because its tree has more bytes than `mostTree`. */
export function decodedSizeOf({ bodyHash, body: bag }: MessageRow, mostTree: number): DecodedSize | null {
  const name = hashFromBytes(bodyHash)
  const opened = known.get(name) ?? open(bag, mostTree)
  if (opened.tree > mostTree) return null
  const { json, tree } = 'json' in opened ? opened : decoded(name, bag, opened)
  return { length: json.length, tree }
}

export const decodedBodyOf = (message: MessageRow): DecodedView => ({
  opcode: message.opcode === null ? null : operationNameOf(message.opcode >>> 0, message.bounced === true),
  body: bodyOf(message),
})
