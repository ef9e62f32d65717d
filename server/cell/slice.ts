// A reading position inside a cell: bits and references from the front, never copying the cell. Every read is checked
// against the end and throws CellUnderflow without having moved.

import { bitAt, copyBits, readBig, readUint } from './bits.ts'
import type { Cell } from './cell.ts'
import { CellError, CellUnderflow } from './cellErrors.ts'
import { opened } from './cellUsage.ts'
import { CellKind } from './exotic.ts'
import type { BinaryHash } from './hash.ts'

/** Bits that need not be whole bytes: most significant first, unused bits of the last byte zero. */
export interface BitString {
  readonly bytes: Uint8Array
  readonly bits: number
}

export class Slice {
  readonly cell: Cell
  // Absolute bit positions in the storage of the cell, which saves an addition per read.
  private at: number
  private readonly end: number
  private refAt: number
  private readonly refEnd: number

  /** A part of a cell, for this room only; from outside a slice starts with `openCell`. */
  constructor(cell: Cell, at: number, end: number, refAt: number, refEnd: number) {
    this.cell = cell
    this.at = at
    this.end = end
    this.refAt = refAt
    this.refEnd = refEnd
  }

  get remainingBits(): number {
    return this.end - this.at
  }

  get remainingRefs(): number {
    return this.refEnd - this.refAt
  }

  get isEmpty(): boolean {
    return this.at === this.end && this.refAt === this.refEnd
  }

  /** Absolute position in the storage of the cell, for this room only. */
  get position(): number {
    return this.at
  }

  private take(bits: number): number {
    const at = this.at
    if (bits < 0 || at + bits > this.end) throw new CellUnderflow(`${bits} bits wanted, ${this.end - at} left`)
    this.at = at + bits
    return at
  }

  loadBit(): boolean {
    return bitAt(this.cell.bytes, this.take(1)) === 1
  }

  /** Up to 53 bits, unsigned. */
  loadUint(bits: number): number {
    if (bits > 53) throw new CellError('range', `${bits} bits do not fit a number`)
    return bits === 0 ? 0 : readUint(this.cell.bytes, this.take(bits), bits)
  }

  /** Up to 53 bits, two's complement. */
  loadInt(bits: number): number {
    const value = this.loadUint(bits)
    return bits > 0 && value >= 2 ** (bits - 1) ? value - 2 ** bits : value
  }

  loadUintBig(bits: number): bigint {
    return readBig(this.cell.bytes, this.take(bits), bits)
  }

  loadIntBig(bits: number): bigint {
    return BigInt.asIntN(bits, this.loadUintBig(bits))
  }

  preloadUint(bits: number): number {
    const at = this.at
    const value = this.loadUint(bits)
    this.at = at
    return value
  }

  /** Whole bytes, as a fresh array. */
  loadBytes(count: number): Uint8Array {
    const at = this.take(count * 8)
    const bytes = new Uint8Array(count)
    copyBits(bytes, 0, this.cell.bytes, at, count * 8)
    return bytes
  }

  /** 256 bits as a hash string. */
  loadHash(): BinaryHash {
    const at = this.take(256)
    if ((at & 7) === 0) return this.cell.bytes.toString('latin1', at >>> 3, (at >>> 3) + 32)
    copyBits(HASH_SPACE, 0, this.cell.bytes, at, 256)
    return HASH_SPACE.toString('latin1')
  }

  loadBits(count: number): BitString {
    const at = this.take(count)
    const bytes = new Uint8Array((count + 7) >> 3)
    copyBits(bytes, 0, this.cell.bytes, at, count)
    return { bytes, bits: count }
  }

  /** `VarUInteger n`: a length in bytes below `n`, then the value. Coins are `VarUInteger 16`. */
  loadVarUint(n: number): bigint {
    return this.loadUintBig(this.loadLength(n))
  }

  private loadLength(n: number): number {
    const at = this.at
    const length = this.loadUint(32 - Math.clz32(n - 1))
    if (length < n && at + length * 8 <= this.end) return length * 8
    this.at = at
    if (length >= n) throw new CellError('value', `length ${length} of a variable integer is not below ${n}`)
    throw new CellUnderflow(`a variable integer of ${length} bytes is cut short`)
  }

  loadCoins(): bigint {
    return this.loadVarUint(16)
  }

  loadRef(): Cell {
    const ref = this.refAt < this.refEnd ? this.cell.refs[this.refAt] : undefined
    if (ref === undefined) throw new CellUnderflow('no reference left')
    this.refAt++
    return ref
  }

  preloadRef(): Cell {
    const ref = this.loadRef()
    this.refAt--
    return ref
  }

  /** A bit, then a reference when it is set. */
  loadMaybeRef(): Cell | null {
    if (this.remainingBits > 0 && this.remainingRefs === 0 && bitAt(this.cell.bytes, this.at) === 1)
      throw new CellUnderflow('no reference left')
    return this.loadBit() ? this.loadRef() : null
  }

  skip(bits: number): this {
    this.take(bits)
    return this
  }

  skipRefs(count: number): this {
    if (count < 0 || this.refAt + count > this.refEnd)
      throw new CellUnderflow(`${count} references wanted, ${this.remainingRefs} left`)
    this.refAt += count
    return this
  }

  /** The next bits and references as a slice of their own; this one goes on behind them. */
  loadSlice(bits: number, refs: number): Slice {
    if (bits > this.end - this.at) this.take(bits)
    this.skipRefs(refs)
    const at = this.take(bits)
    return new Slice(this.cell, at, at + bits, this.refAt - refs, this.refAt)
  }

  /** Everything that is left, as a slice of its own; this one ends up empty. */
  loadRest(): Slice {
    return this.loadSlice(this.remainingBits, this.remainingRefs)
  }

  /** The same position again. */
  clone(): Slice {
    return new Slice(this.cell, this.at, this.end, this.refAt, this.refEnd)
  }

  /** What `earlier`, a former clone, had before this position. */
  since(earlier: Slice): Slice {
    return new Slice(this.cell, earlier.at, this.at, earlier.refAt, this.refAt)
  }

  /** Throws CellError `leftover` unless everything was read. */
  finish(): void {
    if (!this.isEmpty)
      throw new CellError('leftover', `${this.remainingBits} bits and ${this.remainingRefs} references are left over`)
  }
}

const HASH_SPACE = Buffer.alloc(32)

/** Reads an ordinary cell. Throws CellError `pruned` or `exotic` for the others. */
export function openCell(cell: Cell): Slice {
  if (cell.isExotic)
    throw cell.kind === CellKind.pruned
      ? new CellError('pruned', 'this part of the tree was cut off')
      : new CellError('exotic', `an ordinary cell was expected, not one of kind ${cell.kind}`)
  return openAny(cell)
}

/** Reads the raw data of a cell of any kind. */
export function openAny(cell: Cell): Slice {
  opened?.add(cell)
  const at = cell.offset * 8
  return new Slice(cell, at, at + cell.bits, 0, cell.refs.length)
}
