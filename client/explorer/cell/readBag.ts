// Reads bags of cells in the browser, to show them. A cell that occurs twice is one object. Hashes are computed on demand.

import { fromBase64 } from '../../../shared/base64.ts'
import { fromHex, toHex } from '../../../shared/hex.ts'

export interface BagCell {
  /** Data with its unused bits zero. */
  readonly data: Uint8Array
  readonly bits: number
  readonly refs: readonly BagCell[]
  /** Null for an ordinary cell. */
  readonly exotic: 'pruned' | 'library' | 'proof' | 'update' | 'unknown' | null
  /** Levels below the deepest reference. */
  readonly depth: number
}

export interface Bag {
  readonly roots: readonly BagCell[]
  readonly cells: number
}

/** Thrown for what is no bag of cells; its text is for the person who pasted it. */
export class BagError extends Error {}

const MAGIC = 0xb5ee9c72
const MOST_BYTES = 1 << 20
const MOST_CELLS = 20_000
const MOST_DEPTH = 1024
const KINDS = [null, 'pruned', 'library', 'proof', 'update'] as const

const refuse = (words: string): never => {
  throw new BagError(words)
}

const numberAt = (bytes: Uint8Array, at: number, size: number): number => {
  let value = 0
  for (let i = 0; i < size; i++) value = value * 256 + (bytes[at + i] ?? refuse('The bag of cells is cut short.'))
  return value
}

/** The bytes of a text: hex, base64 or base64url, with spaces and line breaks. */
export function bytesOfText(text: string): Uint8Array {
  const plain = text.replace(/\s+/g, '')
  if (plain === '') return refuse('Paste a bag of cells as base64 or hex.')
  if (plain.length > 2 * MOST_BYTES) return refuse('This is more than the 1 MiB that is shown.')
  return fromHex(plain) ?? fromBase64(plain) ?? refuse('This is neither base64 nor hex.')
}

interface Header {
  readonly cells: number
  readonly roots: readonly number[]
  readonly refSize: number
  readonly dataAt: number
}

function headerOf(bytes: Uint8Array): Header {
  if (bytes.length > MOST_BYTES) return refuse('This is more than the 1 MiB that is shown.')
  if (numberAt(bytes, 0, 4) !== MAGIC)
    return refuse('This is not a bag of cells: those begin with te6cc (base64) or b5ee9c72 (hex).')
  const flags = numberAt(bytes, 4, 1)
  const refSize = flags & 7
  const offsetSize = numberAt(bytes, 5, 1)
  if (refSize < 1 || refSize > 4 || offsetSize < 1 || offsetSize > 8)
    return refuse('The header of the bag of cells is damaged.')
  const cells = numberAt(bytes, 6, refSize)
  const rootCount = numberAt(bytes, 6 + refSize, refSize)
  if (cells > MOST_CELLS) return refuse(`This has ${cells} cells; ${MOST_CELLS} at most are shown.`)
  if (cells === 0 || rootCount === 0 || rootCount > cells) return refuse('The header of the bag of cells is damaged.')
  const rootsAt = 6 + 3 * refSize + offsetSize
  const roots = Array.from({ length: rootCount }, (_, i) => numberAt(bytes, rootsAt + i * refSize, refSize))
  const indexAt = rootsAt + rootCount * refSize
  return { cells, roots, refSize, dataAt: indexAt + ((flags & 128) === 0 ? 0 : cells * offsetSize) }
}

interface RawCell extends Omit<BagCell, 'refs' | 'depth'> {
  readonly refs: readonly number[]
}

/** Bits of data that ends with a completion tag, and the data without the tag. */
function untagged(data: Uint8Array): { readonly data: Uint8Array; readonly bits: number } {
  const last = data.at(-1) ?? 0
  if (last === 0) return refuse('The data of a cell has no end.')
  const zeros = 31 - Math.clz32(last & -last)
  const plain = data.slice()
  plain[plain.length - 1] = last & ~(1 << zeros)
  const bits = data.length * 8 - zeros - 1
  return { data: plain.subarray(0, Math.ceil(bits / 8)), bits }
}

function rawCells(bytes: Uint8Array, { cells, refSize, dataAt }: Header): RawCell[] {
  let at = dataAt
  return Array.from({ length: cells }, (_, index) => {
    const first = numberAt(bytes, at, 1)
    const second = numberAt(bytes, at + 1, 1)
    const refCount = first & 7
    if (refCount > 4) return refuse(`Cell ${index} is damaged.`)
    // Stored hashes and depths, one for each level.
    const hashes =
      (first & 16) === 0 ? 0 : [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => bit < 3 && (first >> 5) & (1 << bit)).length + 1
    at += 2 + hashes * 34
    const length = (second + 1) >> 1
    if (at + length > bytes.length) return refuse('The bag of cells is cut short.')
    const stored = bytes.subarray(at, at + length)
    const { data, bits } = (second & 1) === 0 ? { data: stored, bits: length * 8 } : untagged(stored)
    at += length
    const refs = Array.from({ length: refCount }, (_, i) => numberAt(bytes, at + i * refSize, refSize))
    at += refCount * refSize
    const exotic = (first & 8) === 0 ? null : (KINDS[data[0] ?? 0] ?? 'unknown')
    return { data, bits, refs, exotic }
  })
}

/** All roots of a bag of cells. Throws BagError. */
export function readBag(bytes: Uint8Array): Bag {
  const header = headerOf(bytes)
  const raw = rawCells(bytes, header)
  const cells: BagCell[] = []
  // References point forward, so there is no circle.
  for (let i = raw.length - 1; i >= 0; i--) {
    const { refs: targets, ...cell } = raw[i] ?? refuse('The bag of cells is damaged.')
    const targetAt = (to: number): BagCell | undefined => (to > i ? cells[to] : undefined)
    const refs = targets.map((to) => targetAt(to) ?? refuse(`Cell ${i} refers to a cell that is not there.`))
    const depth = refs.reduce((most, ref) => Math.max(most, ref.depth + 1), 0)
    if (depth > MOST_DEPTH) return refuse(`The cells are nested more than ${MOST_DEPTH} deep.`)
    cells[i] = { ...cell, refs, depth }
  }
  return { cells: header.cells, roots: header.roots.map((at) => cells[at] ?? refuse('The bag of cells has no root.')) }
}

/** Data with its completion tag, as it is hashed and written. */
export function taggedBytes({ data, bits }: BagCell): Uint8Array {
  if (bits % 8 === 0) return data
  const bytes = data.slice()
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | (0x80 >> (bits % 8))
  return bytes
}

/** `x{0f8a7ea5_}` is written as `0F8A7EA5_`: hex, with `_` when the last digit is not whole. */
export function hexOfCell(cell: BagCell): string {
  const text = toHex(taggedBytes(cell)).toUpperCase()
  if (cell.bits % 4 === 0) return text.slice(0, cell.bits / 4)
  // The tag of a digit that is not whole is in the half byte of the last bit.
  return `${text.slice(0, Math.ceil(cell.bits / 4))}_`
}

const HASH_BYTES = 32

/** Hashes of ordinary cells, by the browser's own SHA-256; null where an exotic cell below makes them depend on its kind. */
export async function hashOf(root: BagCell, known = new Map<BagCell, Uint8Array | null>()): Promise<Uint8Array | null> {
  const order: BagCell[] = []
  const seen = new Set<BagCell>()
  const stack = [root]
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    if (seen.has(cell) || known.has(cell)) continue
    seen.add(cell)
    order.push(cell)
    stack.push(...cell.refs)
  }
  // Deeper cells are in others, never the other way round.
  for (const cell of order.sort((a, b) => a.depth - b.depth)) known.set(cell, await ownHash(cell, known))
  return known.get(root) ?? null
}

async function ownHash(cell: BagCell, known: ReadonlyMap<BagCell, Uint8Array | null>): Promise<Uint8Array | null> {
  const below = cell.refs.map((ref) => known.get(ref) ?? null)
  if (cell.exotic !== null && cell.exotic !== 'library') return null
  if (below.includes(null)) return null
  const data = taggedBytes(cell)
  const bytes = new Uint8Array(2 + data.length + cell.refs.length * (2 + HASH_BYTES))
  bytes[0] = cell.refs.length + (cell.exotic === null ? 0 : 8)
  bytes[1] = (cell.bits >> 3) + Math.ceil(cell.bits / 8)
  bytes.set(data, 2)
  const depths = 2 + data.length
  cell.refs.forEach((ref, i) => {
    bytes.set([ref.depth >> 8, ref.depth & 255], depths + 2 * i)
    bytes.set(below[i] ?? [], depths + 2 * cell.refs.length + i * HASH_BYTES)
  })
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}
