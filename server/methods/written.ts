// JSON that is written already. What never changes is written once, kept as text, and put into results without parsing.

import { inSlices, SlicedWork, type Slicing } from '../fairness/index.ts'
import { bytesOfLong, LONG_TEXT } from './longText.ts'

/** Finished text: a string, or its bytes in UTF-8, one piece after the other. */
export type FinishedText = string | readonly Buffer[]

/** Bytes of a text. */
export const sizeOfText = (text: FinishedText): number =>
  typeof text === 'string' ? Buffer.byteLength(text) : text.reduce((sum, { length }) => sum + length, 0)

/** The text of a value of type T. */
export class Written<out T> {
  /** As it was made: a long page is bytes, of which a string would be a copy. */
  readonly text: FinishedText
  /** For the compiler only. */
  declare readonly value?: T
  #json: string | null = null

  constructor(text: FinishedText) {
    this.text = text
  }

  get json(): string {
    if (typeof this.text === 'string') return this.text
    this.#json ??= Buffer.concat(this.text).toString()
    return this.#json
  }
}

/** JSON text of a value. */
export const write = <T>(value: T): Written<T> => new Written(JSON.stringify(value))

/**
 * Characters that are joined at once. Texts are put together only when they are read as a whole, which takes a millisecond for some
 * hundred thousand characters of short pieces.
 */
const JOINED = 64 * 1024

/** Texts that are joined at once. */
function* groupsOf(texts: Iterable<string>): Generator<string[]> {
  let group: string[] = []
  let length = 0
  for (const text of texts) {
    group.push(text)
    length += text.length
    if (length < JOINED) continue
    yield group
    group = []
    length = 0
  }
  if (group.length > 0) yield group
}

/** Texts of more groups, some megabytes, are made into bytes: any read of a text that was added up copies all of it at once. */
const MOST_ADDED_UP = 32

/** Texts with commas between them, joined in slices, between a bracket and the one that closes it. */
async function joined(
  texts: readonly string[],
  slicing: Slicing | SlicedWork,
  [open, close]: readonly [string, string],
): Promise<FinishedText> {
  const groups = [...groupsOf(texts)]
  if (groups.length > MOST_ADDED_UP) {
    const pieces = await inSlices(groups, (group) => bytesOf(`,${group.join()}`), slicing)
    return [Buffer.from(open), ...pieces.map((piece, i) => (i === 0 ? piece.subarray(1) : piece)), Buffer.from(close)]
  }
  const pieces = groups.length > 1 ? await inSlices(groups, (group) => group.join(), slicing) : (groups[0] ?? [])
  // Added up and not joined: the whole is put together once, when the result around it is.
  return open + (pieces.length === 0 ? '' : pieces.reduce((text, piece) => `${text},${piece}`)) + close
}

/** The text of a list, joined in slices. */
export async function writeList<T>(items: readonly Written<T>[], slicing: Slicing | SlicedWork): Promise<Written<T[]>> {
  const texts = items.map(({ text }) => text)
  const isShort = texts.every((text) => typeof text === 'string')
  return new Written(await (isShort ? joined(texts, slicing, ['[', ']']) : joinedBytes(texts, slicing)))
}

/** The same of a list some of whose texts are bytes, which stay as they are. */
async function joinedBytes(texts: readonly FinishedText[], slicing: Slicing | SlicedWork): Promise<FinishedText> {
  const slices = slicing instanceof SlicedWork ? slicing : new SlicedWork(slicing)
  const pieces: Buffer[] = []
  let waiting = '['
  for (const [i, text] of texts.entries()) {
    if (i > 0) waiting += ','
    if (typeof text === 'string') waiting += text
    if (typeof text === 'string' && waiting.length < JOINED) continue
    if (slices.isDue) await slices.rest()
    pieces.push(bytesOf(waiting))
    if (typeof text !== 'string') for (const piece of text) pieces.push(piece)
    waiting = ''
  }
  return [...pieces, bytesOf(`${waiting}]`)]
}

/** In a buffer of its own, which may be kept for long. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** Bytes of a text that are copied together; of a longer one each piece is kept as it came. */
const TOGETHER = 64 * 1024

function together(parts: readonly FinishedText[], size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const part of parts) {
    if (typeof part === 'string') at += bytes.write(part, at)
    else for (const piece of part) at += piece.copy(bytes, at)
  }
  return bytes
}

/** Of bytes when one of its parts is. */
function joinedText(parts: readonly FinishedText[]): FinishedText {
  if (parts.every((part) => typeof part === 'string')) return parts.join('')
  const size = parts.reduce((sum, part) => sum + sizeOfText(part), 0)
  if (size <= TOGETHER) return [together(parts, size)]
  const pieces: Buffer[] = []
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else {
      pieces.push(bytesOf(text), ...part)
      text = ''
    }
  }
  return pieces.length === 0 ? text : [...pieces, bytesOf(text)]
}

/** The members of an object, some of them written. */
export type WrittenMembers<T extends object> = { readonly [K in keyof T]: T[K] | Written<NonNullable<T[K]>> }

/** An object of written members and plain values; undefined ones are left out. */
export function writeObject<T extends object>(members: WrittenMembers<T>): Written<T> {
  const parts: FinishedText[] = []
  for (const [name, member] of Object.entries(members)) {
    const text: FinishedText | undefined = member instanceof Written ? member.text : JSON.stringify(member)
    if (text !== undefined) parts.push(`${parts.length === 0 ? '{' : ','}${JSON.stringify(name)}:`, text)
  }
  return new Written(parts.length === 0 ? '{}' : joinedText([...parts, '}']))
}

/** A list or a record of up to so many items is written at once, unless one of them is a long text. */
const FEW = 50
/** Characters; a log of the TVM of 256 kB takes 3 ms. */
const LONG_ITEM = 64 * 1024

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !(value instanceof Written)

const isLongText = (value: unknown): boolean => typeof value === 'string' && value.length > LONG_ITEM

/** Without a list of the members, which every small result would pay for. */
function isLong(value: unknown): value is object {
  if (Array.isArray(value)) return value.length > FEW || value.some(isLongText)
  if (!isObject(value)) return false
  let members = 0
  for (const name in value) if (++members > FEW || isLongText(value[name])) return true
  return false
}

function hasLongMember(result: unknown): boolean {
  if (!isObject(result) || Array.isArray(result)) return false
  for (const name in result) if (isLong(result[name])) return true
  return false
}

/** Whether a result is a long list or record, or has one among its members, so that it is better written in slices. */
export const isLongResult = (result: unknown): result is object => isLong(result) || hasLongMember(result)

async function writeLong<T extends object>(member: T, slicing: Slicing): Promise<Written<T>> {
  const slices = new SlicedWork(slicing)
  // The cast: the text of a list is that of this list.
  if (Array.isArray(member)) return (await writeList(await inSlices(member, write, slices), slices)) as Written<T>
  const entries = Object.entries(member).filter(([, value]) => value !== undefined)
  const texts = await inSlices(entries, ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`, slices)
  return new Written(await joined(texts, slices, ['{', '}']))
}

/** The text of an object, its long lists and records written in slices. */
export function writeInSlices<T extends object>(result: T, slicing: Slicing): Promise<Written<T>>
export function writeInSlices<T extends object>(result: WrittenMembers<T>, slicing: Slicing): Promise<Written<T>>
export async function writeInSlices<T extends object>(
  result: WrittenMembers<T>,
  slicing: Slicing,
): Promise<Written<T>> {
  if (!isLongResult(result)) return writeObject<T>(result)
  // The cast: a result of so many members has none that is written.
  if (isLong(result)) return await writeLong(result as T, slicing)
  const members: [string, unknown][] = []
  for (const [name, member] of Object.entries(result))
    members.push([name, isLong(member) ? await writeLong(member, slicing) : member])
  // The cast: the same members, some of them written.
  return writeObject<T>(Object.fromEntries(members) as WrittenMembers<T>)
}

/** One object of the members of three; none may be empty. */
export const writeMerged = <A extends object, B extends object, C extends object>(
  first: Written<A>,
  second: Written<B>,
  third: Written<C>,
): Written<A & B & C> => new Written(`${first.json.slice(0, -1)},${second.json.slice(1, -1)},${third.json.slice(1)}`)

/** What a run answers with. */
export interface RunAnswer {
  /** The result as JSON text. */
  readonly json: string
  /** The same as it was made; absent where that is `json`. */
  readonly text?: FinishedText
  /** True when nothing was computed for this call. */
  readonly isCached: boolean
}

/** Of bytes, `json` is made when it is first read. */
class MadeAnswer implements RunAnswer {
  readonly isCached: boolean
  readonly #written: Written<unknown>

  constructor(written: Written<unknown>, isCached: boolean) {
    this.#written = written
    this.isCached = isCached
  }

  get json(): string {
    return this.#written.json
  }

  get text(): FinishedText {
    return this.#written.text
  }
}

export const answerWith = (text: FinishedText, isCached: boolean): RunAnswer =>
  typeof text === 'string' ? { json: text, isCached } : new MadeAnswer(new Written(text), isCached)

export const textOf = (answer: RunAnswer): FinishedText => answer.text ?? answer.json

/** Texts that follow each other, or their bytes. */
export type Parts = readonly string[] | readonly Buffer[]

/** An answer in what is said around it. A long one stays in parts: each look at a whole of many megabytes takes a copy of it. */
export function answerWithin([head, tail]: readonly [head: string, tail: string], answer: RunAnswer): string | Parts {
  const text = textOf(answer)
  if (typeof text !== 'string') return tail === '' ? text : [Buffer.from(head), ...text, Buffer.from(tail)]
  if (text.length > LONG_TEXT) return [head, text, tail]
  return tail === '' ? text : head + text + tail
}

/**
 * Bytes of that where it is one string, else undefined. The text alone was counted before, when it was put together: to count the whole,
 * all of it would be copied once more.
 */
export function bytesWithin(
  [head, tail]: readonly [head: string, tail: string],
  answer: RunAnswer,
): number | undefined {
  const text = textOf(answer)
  if (typeof text !== 'string' || text.length > LONG_TEXT) return undefined
  const around = tail === '' ? 0 : Buffer.byteLength(head) + Buffer.byteLength(tail)
  return around + Buffer.byteLength(text)
}

/** Characters of a string, or bytes. */
export function lengthOfAnswer(answer: RunAnswer): number {
  const text = textOf(answer)
  return typeof text === 'string' ? text.length : sizeOfText(text)
}

/** Of its text, in UTF-8. Counted to the end: an answer that is made is for others too. */
export function bytesOfAnswer(answer: RunAnswer, { subject }: { readonly subject: string }): number | Promise<number> {
  const text = textOf(answer)
  return typeof text === 'string' && text.length > LONG_TEXT ? bytesOfLong(text, { subject }) : sizeOfText(text)
}
