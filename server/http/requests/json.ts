// JSON from strangers: bounded nesting and number of values, and whole numbers of any size kept exact. JSON.parse alone does
// neither: it follows a million brackets without complaint, takes 60 ms for a megabyte of different names, and rounds a shard id
// to the nearest double.

import { randomBytes } from 'node:crypto'
import { ApiError } from '../../../shared/errors.ts'

/** Marks a long number while JSON.parse runs. Unguessable, so that no caller's text can pass for one. */
const MARK = `#${randomBytes(12).toString('hex')}:`

/** From this many digits on a double may round; shorter ones are always exact. */
const LONG = 16
/** More digits than any wire type has: left to JSON.parse, which rounds, and to the schema, which refuses. */
const LONGEST = 100

/** So many take some ten milliseconds at worst: numbers, texts, lists and objects; names of members and long numbers. */
const MOST_VALUES = 65_536
const MOST_NAMES = 16_384
/** A name and its value are five characters at least, a value and its comma two. */
const LEAST_NAMED = 5

const mayHoldLong = /(?:^|[[:,\s])-?\d{16}/

/** JSON has no `007`: such a text is left to JSON.parse, which refuses it. */
const startsWithZero = (text: string, start: number): boolean =>
  text.charCodeAt(text.charCodeAt(start) === 45 ? start + 1 : start) === 48

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** What may follow the whole part of a number: a megabyte of it is gone through in a millisecond or two. */
const FRACTION = /[-+.\deE]*/y

function endOfNumber(text: string, from: number): number {
  // Of a list of short numbers most are followed by a comma.
  if (text.charCodeAt(from) === 44) return from
  FRACTION.lastIndex = from
  FRACTION.test(text)
  return FRACTION.lastIndex
}

/** End of the string that opens at `at`: the index of its closing quote, or the text's length. */
function endOfString(text: string, at: number): number {
  let end = text.indexOf('"', at + 1)
  while (end >= 0) {
    let back = end - 1
    while (text.charCodeAt(back) === 92) back--
    if ((end - back) % 2 === 1) return end
    end = text.indexOf('"', end + 1)
  }
  return text.length
}

/** Whether there are enough opening brackets at all: most texts are settled by that. */
function mayBeDeep(text: string, maxDepth: number): boolean {
  if (text.length <= 2 * maxDepth) return false
  let count = 0
  for (const bracket of '[{') {
    let at = text.indexOf(bracket)
    while (at >= 0) {
      if (++count > maxDepth) return true
      at = text.indexOf(bracket, at + 1)
    }
  }
  return false
}

interface Scan {
  readonly depth: number
  /** Too many of what, or null. */
  readonly excess: ApiError | null
  /** Start and end of each long whole number outside strings, in turn. */
  readonly longs: readonly number[]
}

function excessOf(values: number, names: number): ApiError | null {
  const tooMany = (what: string, limit: number) =>
    new ApiError('invalidRequest', `JSON of too many ${what}: ${limit} at most`, { limit })
  if (values >= MOST_VALUES) return tooMany('values', MOST_VALUES)
  return names > MOST_NAMES ? tooMany('names and long numbers', MOST_NAMES) : null
}

function scan(text: string, maxDepth: number): Scan {
  const longs: number[] = []
  let depth = 0
  let deepest = 0
  let values = 0
  let names = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 34) i = endOfString(text, i)
    else if (code === 91 || code === 123) {
      if (++depth > deepest) deepest = depth
      if (deepest > maxDepth) break
    } else if (code === 93 || code === 125) depth--
    else if (code === 44) values++
    else if (code === 58) names++
    else if (code === 45 || isDigit(code)) {
      const start = i
      i++
      while (i < text.length && isDigit(text.charCodeAt(i))) i++
      const whole = !'.eE'.includes(text.charAt(i) || ' ')
      const long = whole && i - start >= LONG && i - start <= LONGEST
      if (long && !startsWithZero(text, start)) longs.push(start, i)
      i = endOfNumber(text, i) - 1
    }
    if (values >= MOST_VALUES || names + longs.length / 2 > MOST_NAMES) break
  }
  return { depth: deepest, excess: excessOf(values, names + longs.length / 2), longs }
}

function marked(text: string, longs: readonly number[]): string {
  let out = ''
  let from = 0
  for (let i = 0; i < longs.length; i += 2) {
    const [start = 0, end = 0] = longs.slice(i, i + 2)
    out += `${text.slice(from, start)}"${MARK}${text.slice(start, end)}"`
    from = end
  }
  return out + text.slice(from)
}

function unmark(value: unknown): unknown {
  if (typeof value === 'string') {
    if (!value.startsWith(MARK)) return value
    const digits = value.slice(MARK.length)
    const number = Number(digits)
    return Number.isSafeInteger(number) ? number : BigInt(digits)
  }
  if (Array.isArray(value)) return value.map(unmark)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => {
    if (name.startsWith(MARK)) throw new SyntaxError('a number in the place of a name')
    return [name, unmark(inner)] as const
  })
  return Object.fromEntries(entries)
}

/**
 * The value of a JSON text. Whole numbers a double cannot hold come out as bigint. Throws ApiError `parse` for text
 * that is not JSON and `invalidRequest` for one nested too deep, or of too many values.
 */
export function parseJson(text: string, maxDepth: number): unknown {
  const isLarge = text.length > LEAST_NAMED * MOST_NAMES
  const scanned = isLarge || mayBeDeep(text, maxDepth) || mayHoldLong.test(text) ? scan(text, maxDepth) : null
  if (scanned && scanned.depth > maxDepth) {
    throw new ApiError('invalidRequest', `JSON nested too deep: ${maxDepth} levels at most`, { limit: maxDepth })
  }
  if (scanned?.excess) throw scanned.excess
  try {
    if (!scanned || scanned.longs.length === 0) return JSON.parse(text)
    return unmark(JSON.parse(marked(text, scanned.longs)))
  } catch {
    throw new ApiError('parse')
  }
}
