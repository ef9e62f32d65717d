// What a token's description may be: an object of JSON in UTF-8, of bounded depth. A large one is read in pieces: its host
// chooses what is in it, and a megabyte of small members or items takes a quarter of a second.

import { inPieces, parseInSlices } from '../fairness/index.ts'
import { shortestMembers } from '../store/index.ts'
import { FetchError } from './fetchError.ts'

const DEEPEST = 32
/** Of one object: descriptions have some dozens. */
const MOST_MEMBERS = 1_000
/** Characters of what is kept, which every list that has the token repeats. */
const MOST_KEPT = 64 << 10
/** Values that are gone through in one piece. */
const AT_ONCE = 500
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Without zero bytes and halves of pairs, which no text of a database holds. */
const plainText = (text: string): string => text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\ufffd')

const lengthOf = (leaf: unknown): number => JSON.stringify(leaf).length

/** A value of such texts, and the length of its JSON. */
interface Plain {
  readonly value: unknown
  readonly length: number
}

function membersOf(object: object): [string, unknown][] {
  // Keys alone: to list a hundred thousand members takes 30 ms.
  const count = Object.keys(object).length
  if (count > MOST_MEMBERS)
    throw new FetchError('refused', `an object of the description has over ${MOST_MEMBERS} members`)
  return Object.entries(object)
}

/** Values gone through so far. */
interface Walk {
  seen: number
}

/** In pieces. Throws FetchError for one nested too deep. */
function* plainValue(value: unknown, depth: number, walk: Walk): Generator<void, Plain> {
  if (depth > DEEPEST) throw new FetchError('refused', `the description is nested deeper than ${DEEPEST}`)
  if (++walk.seen % AT_ONCE === 0) yield
  if (typeof value === 'string') {
    const text = plainText(value)
    return { value: text, length: lengthOf(text) }
  }
  if (typeof value !== 'object' || value === null) return { value, length: lengthOf(value) }
  return Array.isArray(value) ? yield* plainList(value, depth + 1, walk) : yield* plainObject(value, depth + 1, walk)
}

function* plainList(items: readonly unknown[], depth: number, walk: Walk): Generator<void, Plain> {
  const plain: unknown[] = []
  let length = 2 + Math.max(0, items.length - 1)
  for (const item of items) {
    const one = yield* plainValue(item, depth, walk)
    plain.push(one.value)
    length += one.length
  }
  return { value: plain, length }
}

function* plainObject(object: object, depth: number, walk: Walk): Generator<void, Plain> {
  const members: [string, unknown][] = []
  let length = 1
  for (const [name, value] of membersOf(object)) {
    const one = yield* plainValue(value, depth, walk)
    const text = plainText(name)
    members.push([text, one.value])
    length += lengthOf(text) + one.length + 2
  }
  return { value: Object.fromEntries(members), length: Math.max(2, length) }
}

async function parsed(bytes: Uint8Array): Promise<unknown> {
  try {
    return await parseInSlices(decoder.decode(bytes))
  } catch (cause) {
    throw new FetchError('refused', 'the description is not JSON in UTF-8', { cause })
  }
}

/** Without its longest members where it is too large. */
function* keptOf(description: object): Generator<void, Readonly<Record<string, unknown>>> {
  const walk = { seen: 0 }
  const members = new Map<string, Plain>()
  for (const [name, value] of membersOf(description)) {
    const one = yield* plainValue(value, 1, walk)
    const isTooLong = one.length > MOST_KEPT
    members.set(plainText(name), isTooLong ? { value: null, length: one.length } : one)
  }
  const lengths = [...members].map(([name, { length }]) => ({ name, length: lengthOf(name) + length + 1 }))
  const kept = shortestMembers(lengths, MOST_KEPT)
  return Object.fromEntries([...members].flatMap(([name, { value }]) => (kept.has(name) ? [[name, value]] : [])))
}

/** The description as JSON again, as it is kept: a large one without its longest members. Throws FetchError `refused` for anything else. */
export async function metadataText(bytes: Uint8Array): Promise<string> {
  const value = await parsed(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FetchError('refused', 'the description is not an object')
  return JSON.stringify(await inPieces(keptOf(value)))
}
