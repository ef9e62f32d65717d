// JSON of any length, as JSON.parse reads it, in pieces: ten thousand keys of a file take 30 ms in one. The text is cut between
// members, and JSON.parse reads some of them at a time, so what it refuses is refused here.

import { inPieces, type SlicedWork, type Slicing } from './inSlices.ts'

/** Characters that are read at once, in less than a millisecond. A longer text or number in it is one piece. */
const AT_ONCE = 65_536
/** What is too long to be read at once is refused when it is nested deeper. */
const DEEPEST = 512

const codeOf = (letter: string): number => letter.charCodeAt(0)
const QUOTE = codeOf('"')
const BACKSLASH = codeOf('\\')
const COLON = codeOf(':')
const COMMA = codeOf(',')
const LIST = codeOf('[')
const LIST_END = codeOf(']')
const OBJECT = codeOf('{')
const OBJECT_END = codeOf('}')

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

/** The index of the quote that ends a string, or of the end of the text. */
function endOfString(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) return i
    if (code === BACKSLASH) i++
  }
  return text.length
}

/** Where a member ends, at its comma or at the bracket that closes the whole; null when that is at `limit` or after it. */
function endOfMember(text: string, from: number, limit: number): number | null {
  let depth = 0
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = endOfString(text, i)
    else if (code === LIST || code === OBJECT) depth++
    else if (depth === 0 && (code === COMMA || code === LIST_END || code === OBJECT_END)) return i
    else if (code === LIST_END || code === OBJECT_END) depth--
  }
  return null
}

type Members = unknown[] | Record<string, unknown>

function setMember(into: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') into[name] = value
  else Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true })
}

class LongJson {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  *read(): Generator<void, unknown> {
    this.#skipSpace()
    const value = this.#isContainer ? yield* this.#container(0) : this.#readTo(this.#text.length)
    this.#skipSpace()
    if (this.#at < this.#text.length) throw this.#unexpected()
    return value
  }

  get #code(): number {
    return this.#text.charCodeAt(this.#at)
  }

  get #isContainer(): boolean {
    return this.#code === LIST || this.#code === OBJECT
  }

  #skipSpace(): void {
    while (isSpace(this.#code)) this.#at++
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(`Unexpected token in JSON at position ${this.#at}`)
  }

  #readTo(end: number): unknown {
    const value: unknown = JSON.parse(this.#text.slice(this.#at, end))
    this.#at = end
    return value
  }

  /** A list or an object, which begins here. */
  *#container(depth: number): Generator<void, Members> {
    const isList = this.#code === LIST
    const close = isList ? LIST_END : OBJECT_END
    const all: Members = isList ? [] : {}
    this.#at++
    this.#skipSpace()
    let isDone = this.#code === close
    while (!isDone) {
      if (!this.#readShort(all)) {
        yield
        yield* this.#readLong(all, depth)
      }
      isDone = this.#code === close
      if (!isDone && this.#code !== COMMA) throw this.#unexpected()
      if (!isDone) this.#at++
      yield
    }
    this.#at++
    return all
  }

  /** Members that can be read at once; false when the next one is too long for that. */
  #readShort(into: Members): boolean {
    const from = this.#at
    const limit = Math.min(this.#text.length, from + AT_ONCE)
    let end: number | null = null
    for (let next = endOfMember(this.#text, from, limit); next !== null; ) {
      end = next
      next = this.#text.charCodeAt(end) === COMMA ? endOfMember(this.#text, end + 1, limit) : null
    }
    if (end === null) return false
    const text = this.#text.slice(from, end)
    if (text.trim() === '') throw this.#unexpected()
    if (Array.isArray(into)) for (const item of JSON.parse(`[${text}]`)) into.push(item)
    else for (const [name, value] of Object.entries(JSON.parse(`{${text}}`))) setMember(into, name, value)
    this.#at = end
    return true
  }

  *#readLong(into: Members, depth: number): Generator<void> {
    this.#skipSpace()
    const name = Array.isArray(into) ? null : this.#name()
    if (depth === DEEPEST) throw new SyntaxError(`Nested over ${DEEPEST} deep in JSON at position ${this.#at}`)
    const value = this.#isContainer ? yield* this.#container(depth + 1) : this.#readMember()
    this.#skipSpace()
    if (Array.isArray(into)) into.push(value)
    else if (name !== null) setMember(into, name, value)
  }

  #name(): string {
    if (this.#code !== QUOTE) throw this.#unexpected()
    // The cast: what has quotes around it is read as a string.
    const name = this.#readTo(endOfString(this.#text, this.#at) + 1) as string
    this.#skipSpace()
    if (this.#code !== COLON) throw this.#unexpected()
    this.#at++
    this.#skipSpace()
    return name
  }

  #readMember(): unknown {
    return this.#readTo(endOfMember(this.#text, this.#at, this.#text.length) ?? this.#text.length)
  }
}

/** Rejects with SyntaxError for what is no JSON. */
export const parseInSlices = async (text: string, slicing?: Slicing | SlicedWork): Promise<unknown> =>
  text.length > AT_ONCE ? await inPieces(new LongJson(text).read(), slicing) : JSON.parse(text)
