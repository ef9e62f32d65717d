// Finished JSON, packed: runs of text that many transactions have in common become two characters, and so do values that occur
// twice. Packed text is text itself, which every driver hands over without a conversion. 3.7 kB of a usual transaction become
// 1.4 kB, and are unpacked in 5 us.
//
// JSON has no characters below the space, which are the codes here, each with a second character for a number below 94:
// - 1 to 26: a run;
// - 27: a hole, which the reader fills with a text of its own;
// - 28: one of the given values;
// - 29: a value that came before, counted from 0: the marks at the beginning, then what is between two codes;
// - 30: a bag of cells in base64, by its bytes, which are not in the text: two characters for their number.
//
// Rows of every index refer to runs by their numbers: a run is never changed or moved. New ones are added at the end.

import { RUNS } from './generated/runs.ts'

const SPACE = 32
const NUMBERS = 94
const [FIRST_RUN, LAST_RUN, HOLE, GIVEN, EARLIER, BAG] = [1, 26, 27, 28, 29, 30]

/** Shorter values are written again. */
const LEAST_VALUE = 20

/** Of hashes in base64, but for the `=` at their end. */
export const MARK_LENGTH = 43

const MOST_RUNS = (LAST_RUN - FIRST_RUN + 1) * NUMBERS
const runs = RUNS.slice(0, MOST_RUNS)

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
  let [node, end] = [0, 0]
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

/** The bytes of a value that is a bag in base64; null for any other. */
function bagOf(value: string): Buffer | null {
  if (!value.startsWith(BAG_START)) return null
  const bytes = Buffer.from(value, 'base64')
  return bytes.length < NUMBERS ** 2 && bytes.toString('base64') === value ? bytes : null
}

const bagCode = ({ length }: Buffer): string =>
  coded(BAG, Math.floor(length / NUMBERS)) + String.fromCharCode(SPACE + (length % NUMBERS))

/**
 * Null for a text that cannot be packed: with such characters, or with too many marks. Bags of cells stay in the text unless there
 * is a list for their bytes.
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
  let packed = String.fromCharCode(SPACE + marks.length) + marks.join('')
  for (const mark of marks) keep(mark)
  let from = 0
  const flush = (to: number) => {
    if (to === from) return
    const value = text.slice(from, to)
    const code = value.length < LEAST_VALUE ? undefined : known.get(value)
    const bag = code === undefined && bags !== null ? bagOf(value) : null
    if (bag !== null) bags?.push(bag)
    packed += code ?? (bag === null ? value : bagCode(bag))
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

const markCount = (packed: string): number => packed.charCodeAt(0) - SPACE

export const marksOf = (packed: string): string[] =>
  Array.from({ length: markCount(packed) }, (_, i) => packed.slice(1 + i * MARK_LENGTH, 1 + (i + 1) * MARK_LENGTH))

const NO_BAGS = Buffer.alloc(0)

/** The text again. `given` are the values it was packed with, `bags` the bytes of its bags, one after the other. */
export function unpackText(
  packed: string,
  given: readonly string[],
  holes: readonly string[] = [],
  bags: Buffer = NO_BAGS,
): string {
  const values = marksOf(packed)
  let text = ''
  let from = 1 + values.length * MARK_LENGTH
  let bagsRead = 0
  for (let i = from; i < packed.length; i++) {
    const code = packed.charCodeAt(i)
    if (code >= SPACE) continue
    if (i > from) {
      const value = packed.slice(from, i)
      text += value
      if (value.length >= LEAST_VALUE) values.push(value)
    }
    i++
    const number = packed.charCodeAt(i) - SPACE
    if (code === BAG) {
      i++
      const end = bagsRead + number * NUMBERS + packed.charCodeAt(i) - SPACE
      const value = bags.toString('base64', bagsRead, end)
      text += value
      if (value.length >= LEAST_VALUE) values.push(value)
      bagsRead = end
      from = i + 1
      continue
    }
    text +=
      (code === GIVEN
        ? given[number]
        : code === HOLE
          ? holes[number]
          : code === EARLIER
            ? values[number]
            : runs[(code - FIRST_RUN) * NUMBERS + number]) ?? ''
    from = i + 1
  }
  return from < packed.length ? text + packed.slice(from) : text
}
