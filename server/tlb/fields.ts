// What nearly all structures are put together from: tags, optional fields, structures in cells of their own.

import { Builder, type Cell, CellError, openCell, type Slice } from '../cell/index.ts'

export type Load<T> = (slice: Slice) => T
export type Store<T> = (builder: Builder, value: T) => unknown

/** A cell that is well formed but not what its place in a structure demands. */
export class TlbError extends CellError {
  /** `tag` for an unknown constructor, `value` for a field outside of its bounds. */
  constructor(code: 'tag' | 'value', text: string) {
    super(code, text)
  }
}

export function unknownTag(tag: number, what: string): never {
  throw new TlbError('tag', `0x${tag.toString(16)} is no tag of ${what}`)
}

/** Reads a tag and insists on it. */
export function expectTag(slice: Slice, tag: number, bits: number, what: string): void {
  const found = slice.loadUint(bits)
  if (found !== tag) unknownTag(found, what)
}

/** Reads a structure that fills a cell. Throws CellError `leftover` when more is in it. */
export function fromCell<T>(cell: Cell, load: Load<T>): T {
  const slice = openCell(cell)
  const value = load(slice)
  slice.finish()
  return value
}

/** Writes a structure into a cell of its own. */
export function toCell<T>(value: T, store: Store<T>): Cell {
  const builder = new Builder()
  store(builder, value)
  return builder.end()
}

/** `^X`. */
export const loadIn = <T>(slice: Slice, load: Load<T>): T => fromCell(slice.loadRef(), load)
export const storeIn = <T>(builder: Builder, value: T, store: Store<T>): Builder =>
  builder.storeRef(toCell(value, store))

/** `Maybe X`. */
export const loadMaybe = <T>(slice: Slice, load: Load<T>): T | null => (slice.loadBit() ? load(slice) : null)

export function storeMaybe<T>(builder: Builder, value: T | null, store: Store<T>): Builder {
  builder.storeBit(value !== null)
  if (value !== null) store(builder, value)
  return builder
}

/** `bits256`, always 32 bytes. */
export const loadHash = (slice: Slice): Uint8Array => slice.loadBytes(32)

export function storeHash(builder: Builder, hash: Uint8Array): Builder {
  if (hash.length !== 32) throw new TlbError('value', `a hash has 32 bytes, not ${hash.length}`)
  return builder.storeBytes(hash)
}

/** `Maybe Grams`. */
export const loadMaybeCoins = (slice: Slice): bigint | null => (slice.loadBit() ? slice.loadCoins() : null)

export const storeMaybeCoins = (builder: Builder, value: bigint | null): Builder =>
  value === null ? builder.storeBit(0) : builder.storeBit(1).storeCoins(value)

/** The smaller and the larger of two logical times. */
export function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

export function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}
