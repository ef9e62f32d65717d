// Puts a cell together bit by bit. A builder ends with `end`; after that it refuses everything, because its space is used
// by the next one.

import { byteLength, copyBits, putBit, writeBig, writeShort } from './bits.ts'
import { type Cell, MAX_BITS, MAX_REFS, makeCell } from './cell.ts'
import { CellError, CellOverflow } from './cellErrors.ts'
import type { BinaryHash } from './hash.ts'
import { currentSlab, placeInSlab } from './slab.ts'
import type { BitString, Slice } from './slice.ts'

// Byte arrays over 64 bytes are expensive to make and to collect, so builders hand theirs on.
const SPACE = 128
const NOWHERE = Buffer.alloc(0)
const NO_CELLS: readonly Cell[] = []
const idle: Buffer[] = []

export class Builder {
  private space: Buffer = idle.pop() ?? Buffer.allocUnsafeSlow(SPACE)
  private length = 0
  private limit = MAX_BITS
  // An array made at its final length: one that grows by `push` reserves room for seventeen cells.
  private cells: readonly Cell[] = NO_CELLS

  get bits(): number {
    return this.length
  }

  get refs(): number {
    return this.cells.length
  }

  get remainingBits(): number {
    return this.limit - this.length
  }

  private grow(bits: number): number {
    const at = this.length
    if (bits < 0 || at + bits > this.limit) throw new CellOverflow(`${bits} bits do not fit behind ${at}`)
    this.length = at + bits
    return at
  }

  storeBit(bit: boolean | 0 | 1): this {
    const at = this.grow(1)
    writeShort(this.space, at, bit ? 1 : 0, 1)
    return this
  }

  /** Unsigned, in up to 257 bits. Throws CellError `range` when the value does not fit. */
  storeUint(value: number | bigint, bits: number): this {
    if (typeof value === 'bigint') return this.storeBig(value, bits, false)
    if (bits <= 32) {
      if (value >>> 0 !== value || (bits < 32 && value >>> bits !== 0)) outOfRange(value, bits)
      writeShort(this.space, this.grow(bits), value, bits)
      return this
    }
    if (!Number.isSafeInteger(value) || value < 0 || (bits < 53 && value >= 2 ** bits)) outOfRange(value, bits)
    return this.storeNumber(value, bits)
  }

  /** Two's complement, in up to 257 bits. */
  storeInt(value: number | bigint, bits: number): this {
    if (typeof value === 'bigint') return this.storeBig(value, bits, true)
    if (bits > 53 && Number.isSafeInteger(value)) return this.storeBig(BigInt(value), bits, true)
    const half = 2 ** (bits - 1)
    if (!Number.isSafeInteger(value) || bits === 0 || value < -half || value >= half) outOfRange(value, bits)
    return this.storeNumber(value < 0 ? value + 2 * half : value, bits)
  }

  private storeNumber(value: number, bits: number): this {
    if (bits > 53) return this.storeBig(BigInt(value), bits, false)
    let at = this.grow(bits)
    if (bits > 32) {
      writeShort(this.space, at, Math.floor(value / 0x1_0000_0000), bits - 32)
      at += bits - 32
      writeShort(this.space, at, value >>> 0, 32)
    } else writeShort(this.space, at, value, bits)
    return this
  }

  private storeBig(value: bigint, bits: number, signed: boolean): this {
    if (bits < 0 || bits > 257) throw new CellError('range', `integers have up to 257 bits, not ${bits}`)
    const unsigned = BigInt.asUintN(bits, value)
    if ((signed ? BigInt.asIntN(bits, value) : unsigned) !== value) outOfRange(value, bits)
    writeBig(this.space, this.grow(bits), unsigned, bits)
    return this
  }

  storeBytes(bytes: Uint8Array): this {
    const at = this.grow(bytes.length * 8)
    copyBits(this.space, at, bytes, 0, bytes.length * 8)
    return this
  }

  /** 256 bits. */
  storeHash(hash: BinaryHash): this {
    if (hash.length !== 32) throw new CellError('value', `a hash has 32 bytes, not ${hash.length}`)
    const at = this.grow(256)
    if ((at & 7) === 0) this.space.write(hash, at >>> 3, 'latin1')
    else for (let i = 0; i < 32; i++) writeShort(this.space, at + 8 * i, hash.charCodeAt(i), 8)
    return this
  }

  storeBits(value: BitString): this {
    return this.storeRange(value.bytes, 0, value.bits)
  }

  /** `bits` bits out of a byte array from the bit `start` on. */
  storeRange(bytes: Uint8Array, start: number, bits: number): this {
    const at = this.grow(bits)
    copyBits(this.space, at, bytes, start, bits)
    return this
  }

  /** The same bit many times. */
  storeRepeat(bit: 0 | 1, count: number): this {
    const end = this.grow(count) + count
    for (let at = end - count; at < end; at += 32)
      writeShort(this.space, at, bit === 0 ? 0 : -1, Math.min(32, end - at))
    return this
  }

  /** `VarUInteger n`: the shortest length in bytes, then the value. */
  storeVarUint(value: bigint, n: number): this {
    if (value < 0n) outOfRange(value, 8 * (n - 1))
    return this.storeVar(value, byteLength(value), n)
  }

  private storeVar(value: bigint, length: number, n: number): this {
    if (length >= n) throw new CellError('range', `${value} does not fit ${n - 1} bytes`)
    const prefix = 32 - Math.clz32(n - 1)
    const at = this.grow(prefix + 8 * length)
    writeShort(this.space, at, length, prefix)
    writeBig(this.space, at + prefix, value, 8 * length)
    return this
  }

  storeCoins(value: bigint): this {
    return this.storeVarUint(value, 16)
  }

  storeRef(cell: Cell): this {
    if (this.cells.length >= MAX_REFS || this.limit < 0) throw new CellOverflow('a cell has up to four references')
    const [first, second, third] = this.cells
    if (first === undefined) this.cells = [cell]
    else if (second === undefined) this.cells = [first, cell]
    else this.cells = third === undefined ? [first, second, cell] : [first, second, third, cell]
    return this
  }

  /** A bit, then the reference when there is one. */
  storeMaybeRef(cell: Cell | null): this {
    return cell === null ? this.storeBit(0) : this.storeBit(1).storeRef(cell)
  }

  /** What is left of a slice; the slice itself stays where it is. */
  storeSlice(slice: Slice): this {
    const refs = slice.remainingRefs
    if (refs > MAX_REFS - this.cells.length) throw new CellOverflow(`${refs} references do not fit`)
    this.storeRange(slice.cell.bytes, slice.position, slice.remainingBits)
    if (refs > 0) for (const rest = slice.clone(); rest.remainingRefs > 0; ) this.storeRef(rest.loadRef())
    return this
  }

  storeBuilder(other: Builder): this {
    if (other.cells.length > MAX_REFS - this.cells.length)
      throw new CellOverflow(`${other.cells.length} references do not fit`)
    this.storeRange(other.space, 0, other.length)
    for (const cell of other.cells) this.storeRef(cell)
    return this
  }

  /** The finished cell. */
  end(exotic = false): Cell {
    const { length, space, cells } = this
    if (this.limit < 0) throw new CellOverflow('this builder has already ended')
    if ((length & 7) !== 0) putBit(space, length, 1)
    const offset = placeInSlab(space, 0, (length + 7) >> 3)
    const cell = makeCell(currentSlab(), offset, length, cells, exotic)
    this.limit = -1
    this.length = 0
    this.cells = NO_CELLS
    this.space = NOWHERE
    idle.push(space)
    return cell
  }
}

function outOfRange(value: number | bigint, bits: number): never {
  throw new CellError('range', `${value} does not fit ${bits} bits`)
}

export const beginCell = (): Builder => new Builder()
