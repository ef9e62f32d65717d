// Packs finished JSON: see `codes.ts`.

import {
  BAG,
  BYTES,
  EARLIER,
  FIRST_RUN,
  GIVEN,
  HASH_BYTES,
  HOLE,
  KINDS_OF_BYTES,
  LEAST_VALUE,
  MARK_LENGTH,
  NUMBERS,
  runs,
  SPACE,
} from './codes.ts'

/** A code is as long as a shorter one. */
const LEAST_GIVEN = 3

interface Run {
  readonly text: string
  readonly code: string
}

const coded = (code: number, number: number): string => String.fromCharCode(code, SPACE + number)

/**
 * All runs as a tree of characters: many begin alike, and to compare them one after another took most of the time. Numbers of
 * nodes, 0 for none: the first child of each, and the next child of its parent.
 */
const MOST_NODES = 1 + runs.reduce((sum, { length }) => sum + length, 0)
const characters = new Uint16Array(MOST_NODES)
const children = new Int32Array(MOST_NODES)
const siblings = new Int32Array(MOST_NODES)
/** By the node of their last character. */
const runsByEnd = new Map<number, Run>()
const isEnd = new Uint8Array(MOST_NODES)
let nodes = 1

function childOf(node: number, character: number): number {
  let child = children[node] ?? 0
  while (child !== 0 && characters[child] !== character) child = siblings[child] ?? 0
  return child
}

/** Behind those that are there: the first runs are the most frequent. */
function addChild(node: number, character: number): number {
  const child = nodes++
  characters[child] = character
  let last = children[node] ?? 0
  if (last === 0) children[node] = child
  else {
    for (let next = last; next !== 0; next = siblings[next] ?? 0) last = next
    siblings[last] = child
  }
  return child
}

for (const [number, text] of runs.entries()) {
  let node = 0
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i)
    node = childOf(node, character) || addChild(node, character)
  }
  isEnd[node] = 1
  runsByEnd.set(node, { text, code: coded(FIRST_RUN + Math.floor(number / NUMBERS), number % NUMBERS) })
}

/** The longest run that begins at a place. */
function runAt(text: string, at: number): Run | undefined {
  let node = 0
  let end = 0
  for (let i = at; i < text.length; i++) {
    node = childOf(node, text.charCodeAt(i))
    if (node === 0) break
    if (isEnd[node] === 1) end = node
  }
  return end === 0 ? undefined : runsByEnd.get(end)
}

/** Where a value may end: a run or a hole can begin there. */
const isBoundary = (code: number): boolean =>
  code === 34 || code === 44 || code === 61 || code === 93 || code === 125 || code === HOLE

/** Marks the place of a text the reader has. */
export const holeOf = (number: number): string => coded(HOLE, number)

const isCode = (character: number): boolean => character < SPACE && character !== HOLE

export interface PackedParts {
  readonly text: string
  /** Hashes that can be read without unpacking the text. */
  readonly marks: readonly string[]
  /** Long values that the reader knows. */
  readonly given: readonly string[]
}

/** In base64 every bag of cells begins so. */
const BAG_START = 'te6cc'

/** Bytes that stand for a value. */
interface Stored {
  readonly code: string
  readonly bytes: Buffer
}

/** The bytes of a bag in base64; null for any other value. */
function bagOf(value: string): Stored | null {
  if (!value.startsWith(BAG_START)) return null
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length >= NUMBERS ** 2 || bytes.toString('base64') !== value) return null
  const code = coded(BAG, Math.floor(bytes.length / NUMBERS)) + String.fromCharCode(SPACE + (bytes.length % NUMBERS))
  return { code, bytes }
}

/** The bytes of a number; null unless they are shorter than its digits. */
function numberOf(digits: string): Stored | null {
  const value = Number(digits)
  if (!(value < 2 ** 48)) return null
  const bytes = Buffer.alloc(6)
  bytes.writeUIntBE(value, 0, 6)
  const short = bytes.subarray(bytes.findIndex((byte) => byte !== 0))
  return short.length + 2 < digits.length
    ? { code: coded(BYTES, KINDS_OF_BYTES.number + short.length), bytes: short }
    : null
}

/** Null for a value that is written as it is. */
function bytesOf(value: string): Stored | null {
  if (value.length === MARK_LENGTH && /^[A-Za-z0-9+/]*$/.test(value)) {
    const bytes = Buffer.from(value, 'base64')
    return bytes.toString('base64') === `${value}=` ? { code: coded(BYTES, KINDS_OF_BYTES.hash), bytes } : null
  }
  if (value.length === 2 * HASH_BYTES && /^[0-9A-F]*$/.test(value))
    return { code: coded(BYTES, KINDS_OF_BYTES.hex), bytes: Buffer.from(value, 'hex') }
  return /^[1-9][0-9]{4,14}$/.test(value) ? numberOf(value) : bagOf(value)
}

/**
 * Null for a text that cannot be packed: with such characters, or with too many marks. Marks, bags of cells, hashes and numbers stay
 * in the text unless there is a list for their bytes.
 */
export function packText({ text, marks, given }: PackedParts, bags: Buffer[] | null = null): string | null {
  const areMarks = marks.length < NUMBERS && marks.every(({ length }) => length === MARK_LENGTH)
  if (!areMarks) return null
  const known = new Map(given.slice(0, NUMBERS).map((value, i) => [value, coded(GIVEN, i)]))
  let count = 0
  const keep = (value: string) => {
    // Counted even when it is known, as the reader does.
    if (count < NUMBERS && !known.has(value)) known.set(value, coded(EARLIER, count))
    count++
  }
  let packed = String.fromCharCode(SPACE + marks.length)
  if (bags === null) packed += marks.join('')
  else bags.push(...marks.map((mark) => Buffer.from(mark, 'base64')))
  for (const mark of marks) keep(mark)
  let from = 0
  const flush = (to: number) => {
    if (to === from) return
    const value = text.slice(from, to)
    const code = value.length < LEAST_GIVEN ? undefined : known.get(value)
    const stored = code === undefined && bags !== null ? bytesOf(value) : null
    if (stored !== null) bags?.push(stored.bytes)
    packed += code ?? stored?.code ?? value
    if (value.length >= LEAST_VALUE && code === undefined) keep(value)
  }
  for (let at = 0; at < text.length; ) {
    if (text.charCodeAt(at) === HOLE) {
      if (isCode(text.charCodeAt(at + 1))) return null
      flush(at)
      packed += text.slice(at, at + 2)
      at += 2
      from = at
      continue
    }
    const run = runAt(text, at)
    if (run !== undefined) {
      flush(at)
      packed += run.code
      at += run.text.length
      from = at
    } else {
      do {
        if (isCode(text.charCodeAt(at))) return null
        at++
      } while (at < text.length && !isBoundary(text.charCodeAt(at)))
    }
  }
  flush(text.length)
  return packed
}
