// Writes a bag of cells. Mode bits are the node's: 1 index, 2 checksum, 4 hashes of roots (which the node ignores),
// 8 hashes of heavy cells, 16 cache bits. 0 is what proofs travel in, 2 what interfaces send, 31 what the node stores. 32, hashes
// of all cells, is our own, for bags that one thread passes to another.

import { byteAt } from '../bits.ts'
import { Cell } from '../cell.ts'
import { CellError } from '../cellErrors.ts'
import { crc32c } from '../crc32c.ts'
import { CellKind } from '../exotic.ts'
import { isLargeTree } from '../footprint.ts'
import { hashCount, isSignificant, levelOf } from '../levels.ts'
import { CellForm } from './found.ts'
import { type BagRoot, type OrderedCells, orderingCells, withOrder } from './orderedCells.ts'

const INDEX = 1
const CRC = 2
const HEAVY_HASHES = 8
const CACHE_BITS = 16
export const ALL_HASHES = 32
/** Mode of a bag without a checksum, as in proofs and tables. The default mode has one. */
export const NO_CRC = 0
const NOT_PLANNED = HEAVY_HASHES | CACHE_BITS | ALL_HASHES
const WITH_HASHES = 16
const HASH_AND_DEPTH = 34
/** What takes longer to copy by a view of it than byte by byte. */
const FEW_BYTES = 64
/** Cells that are written at once. */
const PIECE = 1024
/** Bytes of a pruned branch with one hash, and of a Merkle proof. */
const PRUNED_BYTES = 36
const PROOF_BYTES = 35
const NOTHING = Buffer.alloc(0)
const DRAFT = Buffer.allocUnsafeSlow(1 << 16)

/**
 * The bag of cells of one or several roots. Planned proofs are written as they would be made, in modes without hashes and cache bits.
 * Throws CellError `virtual` for a tree seen through a proof.
 */
export function writeBoc(roots: BagRoot | readonly BagRoot[], mode = CRC): Uint8Array<ArrayBuffer> {
  return writeBuffer(roots, mode)
}

const writeBuffer = (roots: BagRoot | readonly BagRoot[], mode: number) =>
  writing(roots, mode, (writer) => writer.write(Buffer.allocUnsafeSlow(writer.size)))

/** The same, large bags in pieces: to order and write 24,000 cells takes 15 ms in all. */
export function* writingBoc(roots: Cell | readonly Cell[], mode = CRC): Generator<void, Buffer> {
  const list = roots instanceof Cell ? [roots] : roots
  if (!isLargeTree(...list)) return writeBuffer(list, mode)
  const writer = new Writer(yield* orderingCells(list), mode)
  yield
  return yield* writer.writing(Buffer.allocUnsafeSlow(writer.size))
}

/** The same in base64, for what is passed on as text: small ones are written without a byte array of their own. */
export function writeBocText(roots: Cell | readonly Cell[], mode = CRC): string {
  return writing(roots, mode, (writer) => {
    const { size } = writer
    const out = size > DRAFT.length ? Buffer.allocUnsafeSlow(size) : DRAFT
    return writer.write(out).toString('base64', 0, size)
  })
}

const isList = (roots: BagRoot | readonly BagRoot[]): roots is readonly BagRoot[] => Array.isArray(roots)

function writing<T>(roots: BagRoot | readonly BagRoot[], mode: number, work: (writer: Writer) => T): T {
  const list = isList(roots) ? roots : [roots]
  if (list.length === 0) throw new CellError('value', 'a bag of cells needs a root')
  if ((mode & CACHE_BITS) !== 0 && (mode & INDEX) === 0) throw new CellError('value', 'cache bits need an index')
  if ((mode & NOT_PLANNED) !== 0 && !list.every((root) => root instanceof Cell))
    throw new CellError('value', 'planned proofs are written without hashes and cache bits')
  return withOrder(list, (order) => work(new Writer(order, mode)))
}

function sizeOf(value: number): number {
  let size = 1
  for (let most = 256; value >= most; most *= 256) size++
  return size
}

class Writer {
  /** Bytes of the bag. */
  readonly size: number
  private readonly order: OrderedCells
  private readonly mode: number
  private readonly refSize: number
  private readonly dataSize: number
  private readonly wideSize: number
  private out: Buffer = NOTHING
  private at = 0

  constructor(order: OrderedCells, mode: number) {
    const count = order.cells.length
    this.order = order
    this.mode = mode
    this.refSize = sizeOf(count)
    let dataSize = 0
    for (let i = 0; i < count; i++) dataSize += this.cellSize(i)
    this.dataSize = dataSize
    this.wideSize = sizeOf((mode & CACHE_BITS) !== 0 ? 2 * dataSize : dataSize)
    const head = 6 + 3 * this.refSize + this.wideSize + order.roots.length * this.refSize
    const index = (mode & INDEX) !== 0 ? count * this.wideSize : 0
    this.size = head + index + dataSize + ((mode & CRC) !== 0 ? 4 : 0)
  }

  /** Fills the beginning of a byte array that has room for it. */
  write<B extends Buffer>(out: B): B {
    this.begin(out)
    this.putCells(0, this.order.cells.length)
    return this.finish(out)
  }

  *writing<B extends Buffer>(out: B): Generator<void, B> {
    this.begin(out)
    for (let from = 0; from < this.order.cells.length; from += PIECE) {
      this.putCells(from, Math.min(from + PIECE, this.order.cells.length))
      yield
    }
    return this.finish(out)
  }

  private begin(out: Buffer): void {
    const { order, mode, refSize, wideSize } = this
    const count = order.cells.length
    this.out = out
    this.put(0xb5ee9c72, 4)
    const flags =
      ((mode & INDEX) !== 0 ? 128 : 0) | ((mode & CRC) !== 0 ? 64 : 0) | ((mode & CACHE_BITS) !== 0 ? 32 : 0)
    this.put(flags | refSize, 1)
    this.put(wideSize, 1)
    this.put(count, refSize)
    this.put(order.roots.length, refSize)
    this.put(0, refSize)
    this.put(this.dataSize, wideSize)
    for (const root of order.roots) this.put(root, refSize)
    if ((mode & INDEX) !== 0) this.putIndex()
  }

  private putCells(from: number, end: number): void {
    for (let i = from; i < end; i++) this.putCell(this.order.numbers[i] ?? 0)
  }

  private finish<B extends Buffer>(out: B): B {
    if ((this.mode & CRC) !== 0) out.writeUInt32LE(crc32c(out, 0, this.at), this.at)
    return out
  }

  private put(value: number, size: number): void {
    let rest = value
    for (let i = this.at + size - 1; i >= this.at; i--) {
      this.out[i] = rest
      rest = rest > 0xffffff ? Math.floor(rest / 256) : rest >>> 8
    }
    this.at += size
  }

  private carriesHashes(number: number): boolean {
    if ((this.mode & ALL_HASHES) !== 0) return true
    return (this.mode & HEAVY_HASHES) !== 0 && this.order.weight[number] === 0
  }

  private cellSize(number: number): number {
    const cell = this.order.cells[number]
    if (cell === undefined) return 0
    const form = this.order.forms[number]
    if (form === CellForm.pruned) return 2 + PRUNED_BYTES
    if (form === CellForm.proof) return 2 + PROOF_BYTES + this.refSize
    const hashes = this.carriesHashes(number) ? hashCount(cell.mask) * HASH_AND_DEPTH : 0
    return 2 + hashes + ((cell.bits + 7) >> 3) + (this.order.counts[number] ?? 0) * this.refSize
  }

  private putIndex(): void {
    const { wideSize } = this
    const { cells, shared, numbers } = this.order
    let end = 0
    for (let i = 0; i < cells.length; i++) {
      const number = numbers[i] ?? 0
      end += this.cellSize(number)
      this.put((this.mode & CACHE_BITS) !== 0 ? 2 * end + byteAt(shared, number) : end, wideSize)
    }
  }

  private putCell(number: number): void {
    const { order } = this
    const cell = order.cells[number]
    if (cell === undefined) return
    const form = order.forms[number]
    const count = order.counts[number] ?? 0
    if (form === CellForm.pruned) this.putPruned(cell)
    else if (form === CellForm.proof) this.putProof(cell)
    else this.putData(cell, count, form === CellForm.cut ? 1 : cell.mask, this.carriesHashes(number))
    for (let k = 4 * number; k < 4 * number + count; k++)
      this.put(order.positions[order.refs[k] ?? 0] ?? 0, this.refSize)
  }

  private putData(cell: Cell, refs: number, mask: number, hashes: boolean): void {
    const { out } = this
    const { bits, bytes, offset } = cell
    const length = (bits + 7) >> 3
    out[this.at++] = refs | (cell.isExotic ? 8 : 0) | (hashes ? WITH_HASHES : 0) | (mask << 5)
    out[this.at++] = (bits >> 3) + length
    if (hashes) this.putHashes(cell)
    const at = this.at
    if (length > FEW_BYTES) out.set(bytes.subarray(offset, offset + length), at)
    else for (let i = 0; i < length; i++) out[at + i] = byteAt(bytes, offset + i)
    this.at = at + length
  }

  private putPruned(cell: Cell): void {
    const { out } = this
    out[this.at++] = 8 | (1 << 5)
    out[this.at++] = 2 * PRUNED_BYTES
    out[this.at++] = CellKind.pruned
    out[this.at++] = 1
    this.putHashAndDepth(cell)
  }

  private putProof(root: Cell): void {
    const { out } = this
    out[this.at++] = 8 | 1
    out[this.at++] = 2 * PROOF_BYTES
    out[this.at++] = CellKind.merkleProof
    this.putHashAndDepth(root)
  }

  private putHashAndDepth(cell: Cell): void {
    const { out, at } = this
    const hash = cell.hash(0)
    for (let i = 0; i < 32; i++) out[at + i] = hash.charCodeAt(i)
    this.at = at + 32
    this.put(cell.depth(0), 2)
  }

  private putHashes(cell: Cell): void {
    for (let level = 0; level <= levelOf(cell.mask); level++)
      if (isSignificant(cell.mask, level)) {
        this.out.write(cell.hash(level), this.at, 'latin1')
        this.at += 32
      }
    for (let level = 0; level <= levelOf(cell.mask); level++)
      if (isSignificant(cell.mask, level)) this.put(cell.depth(level), 2)
  }
}
