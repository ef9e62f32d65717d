// Reads a bag of cells. One pass forward finds where each cell begins, one pass backward makes them, references first: a
// reference may only point forward, so there can be no cycle, and the time is linear in the input.

import { byteAt } from '../bits.ts'
import { type Cell, MAX_DEPTH, makeCell } from '../cell.ts'
import { BocError, CellError } from '../cellErrors.ts'
import { hashCount, isSignificant, levelOf } from '../levels.ts'
import { currentSlab, placeInSlab } from '../slab.ts'
import { type BocHeader, type BocLimits, readHeader, readNumber } from './bocHeader.ts'

const REFS = 7
const EXOTIC = 8
const WITH_HASHES = 16
const HASH_AND_DEPTH = 34
const NO_REFS: Cell[] = []

/** The roots of a bag of cells. Throws BocError for anything that is not one, or that breaks a limit. */
export function readBocRoots(input: Uint8Array, limits: BocLimits = {}): Cell[] {
  const bag = openBag(input, limits)
  makeCells(bag, bag.header.cells, 0)
  return rootsOf(bag)
}

/** Bytes of a bag that is read at once: five hundred cells of the smallest kind to a thousand. */
const SMALL = 4096
/** Cells of one piece: a fraction of a millisecond. */
const PIECE = 256

/** The same, large bags in pieces: reading and hashing half a megabyte takes ten milliseconds in all. */
export function* readingBocRoots(input: Uint8Array, limits: BocLimits = {}): Generator<void, Cell[]> {
  if (input.length <= SMALL) return readBocRoots(input, limits)
  // Without the spare array: other bags are read between the pieces of this one.
  const bag = openBag(input, limits, null)
  for (let end = bag.header.cells; end > 0; end -= PIECE) {
    const from = Math.max(0, end - PIECE)
    makeCells(bag, end, from)
    // Otherwise a Merkle cell above them, or the first caller of `hash`, would hash them all at once.
    if (!bag.isOwn) for (let i = end - 1; i >= from; i--) bag.cells[i]?.hash()
    yield
  }
  return rootsOf(bag)
}

/** For the readers of bags in this folder. */
export function openBag(input: Uint8Array, limits: BocLimits, spare: Uint32Array | null = spareStarts): OpenBag {
  const view = Buffer.isBuffer(input) ? input : Buffer.from(input.buffer, input.byteOffset, input.length)
  const header = readHeader(view, limits)
  const isOwn = limits.isOwn === true
  const isKept = isOwn || limits.isConstant === true
  const length = header.dataEnd - header.dataAt
  const isShort = !isKept && length <= FEW_BYTES
  const from = isKept ? header.dataAt : isShort ? placeInSlab(view, header.dataAt, length) : 0
  const data = isKept ? view : isShort ? currentSlab() : copyOf(view, header)
  const starts = findCells({ data, from, view }, header, spare)
  const maxDepth = Math.min(limits.maxDepth ?? 512, MAX_DEPTH)
  return { view, data, starts, header, isOwn, maxDepth, cells: new Array<Cell>(header.cells) }
}

function rootsOf({ view, data, starts, header, isOwn, cells }: OpenBag): Cell[] {
  if (header.hasCacheBits && !isOwn) checkCacheBits(view, header, data, starts)
  return header.roots.map((root) => pick(cells, root))
}

/** For small bags, each until the next one is read: a new array takes longer than what is written to it. */
const spareStarts = new Uint32Array(64)

/** Bytes of all cells of a bag that shares its storage with others: storage of its own takes as long as reading it. */
const FEW_BYTES = 256

// Cells refer to these bytes as long as they live, so nothing else may write to them.
function copyOf(view: Buffer, { dataAt, dataEnd }: BocHeader): Buffer {
  const bytes = Buffer.allocUnsafeSlow(dataEnd - dataAt)
  view.copy(bytes, 0, dataAt, dataEnd)
  return bytes
}

/**
 * The only root of a bag of cells. Throws BocError as `readBocRoots` does, `roots` when there are several and `level`
 * when the tree is pruned outside of a Merkle cell.
 */
export const readBoc = (input: Uint8Array, limits: BocLimits = {}): Cell =>
  onlyRoot(readBocRoots(input, limits.maxRoots === 1 ? limits : { ...limits, maxRoots: 1 }))

/** The same in pieces, as `readingBocRoots`. */
export function* readingBoc(input: Uint8Array, limits: BocLimits = {}): Generator<void, Cell> {
  return onlyRoot(yield* readingBocRoots(input, { ...limits, maxRoots: 1 }))
}

function onlyRoot([root]: readonly Cell[]): Cell {
  if (root === undefined) throw new BocError('roots', 'the bag of cells has no root')
  if (root.mask !== 0) throw new BocError('level', `the root has level ${root.level}`)
  return root
}

function pick(cells: readonly Cell[], index: number): Cell {
  const cell = cells[index]
  if (cell === undefined) throw new BocError('reference', `there is no cell ${index}`)
  return cell
}

const dataLength = (second: number): number => (second + 1) >> 1

const hashesLength = (first: number): number =>
  (first & WITH_HASHES) === 0 ? 0 : hashCount(first >> 5) * HASH_AND_DEPTH

interface Bytes {
  /** What the cells lie in, and where the first begins. */
  readonly data: Buffer
  readonly from: number
  readonly view: Buffer
}

/** Where each cell begins: in the spare array, if there is one that is large enough. */
function findCells({ data: bytes, from, view }: Bytes, header: BocHeader, spare: Uint32Array | null): Uint32Array {
  const { cells, refSize, indexAt, indexSize } = header
  const shift = header.hasCacheBits ? 2 : 1
  const end = from + header.dataEnd - header.dataAt
  const starts = spare !== null && cells <= spare.length ? spare : new Uint32Array(cells)
  let at = from
  for (let i = 0; i < cells; i++) {
    starts[i] = at
    const first = byteAt(bytes, at)
    const refs = first & REFS
    if (refs > 4) {
      if (refs === REFS && (first & WITH_HASHES) !== 0) throw new BocError('absent', `cell ${i} is absent`)
      throw new BocError('descriptor', `cell ${i} has ${refs} references`)
    }
    at += 2 + hashesLength(first) + dataLength(byteAt(bytes, at + 1)) + refs * refSize
    if (at > end) throw new BocError('truncated', `cell ${i} is cut short`)
    if (indexAt !== 0 && Math.floor(readNumber(view, indexAt + i * indexSize, indexSize) / shift) !== at - from)
      throw new BocError('index', `the index entry of cell ${i} is wrong`)
  }
  if (at !== end) throw new BocError('trailing', `${end - at} bytes follow the last cell`)
  return starts
}

export interface OpenBag {
  readonly view: Buffer
  /** What the cells lie in. */
  readonly data: Buffer
  readonly starts: Uint32Array
  readonly header: BocHeader
  readonly isOwn: boolean
  readonly maxDepth: number
  readonly cells: Cell[]
}

/** Makes the cells from `end - 1` down to `from`; `end` and those after it are made already. */
function makeCells({ data: bytes, starts, header, isOwn, maxDepth, cells }: OpenBag, end: number, from: number): void {
  const { refSize } = header
  for (let i = end - 1; i >= from; i--) {
    const start = starts[i] ?? 0
    const first = byteAt(bytes, start)
    const second = byteAt(bytes, start + 1)
    const offset = start + 2 + hashesLength(first)
    const length = dataLength(second)
    const refs = pickRefs(bytes, offset + length, first & REFS, refSize, i, cells)
    const bits = (second & 1) === 0 ? length * 8 : taggedBits(byteAt(bytes, offset + length - 1), length, i)
    const cell = makeChecked(bytes, offset, bits, refs, (first & EXOTIC) !== 0, i)
    if (cell.mask !== first >> 5) throw new BocError('level', `cell ${i} claims level mask ${first >> 5}`)
    if (cell.depth() > maxDepth) throw new BocError('tooDeep', `cells may be nested ${maxDepth} deep`)
    if ((first & WITH_HASHES) !== 0) {
      if (isOwn) cell.adoptStored()
      else checkHashes(cell, bytes, start + 2, i)
    }
    cells[i] = cell
  }
}

// Literals instead of a loop with `push`, which would reserve room for seventeen references in each array.
function pickRefs(bytes: Buffer, at: number, count: number, size: number, index: number, cells: Cell[]): Cell[] {
  if (count === 0) return NO_REFS
  const first = target(bytes, at, size, index, cells)
  if (count === 1) return [first]
  const second = target(bytes, at + size, size, index, cells)
  if (count === 2) return [first, second]
  const third = target(bytes, at + 2 * size, size, index, cells)
  return count === 3 ? [first, second, third] : [first, second, third, target(bytes, at + 3 * size, size, index, cells)]
}

function target(bytes: Buffer, at: number, size: number, index: number, cells: Cell[]): Cell {
  const to = size < 3 ? shortNumber(bytes, at, size) : readNumber(bytes, at, size)
  if (to <= index || to >= cells.length) throw new BocError('reference', `cell ${index} refers to cell ${to}`)
  return pick(cells, to)
}

const shortNumber = (bytes: Buffer, at: number, size: number): number =>
  size === 1 ? byteAt(bytes, at) : (byteAt(bytes, at) << 8) | byteAt(bytes, at + 1)

function makeChecked(bytes: Buffer, offset: number, bits: number, refs: Cell[], exotic: boolean, index: number): Cell {
  try {
    return makeCell(bytes, offset, bits, refs, exotic)
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    const code = error.code === 'depth' ? 'tooDeep' : 'exotic'
    throw new BocError(code, `cell ${index}: ${error.message}`, { cause: error })
  }
}

/** Bits of a cell that has no hashes stored with it. Throws BocError. */
export function cellBits(bytes: Buffer, start: number, index: number): number {
  const second = byteAt(bytes, start + 1)
  const length = dataLength(second)
  return (second & 1) === 0 ? length * 8 : taggedBits(byteAt(bytes, start + 1 + length), length, index)
}

function taggedBits(last: number, length: number, index: number): number {
  // A tag in the first bit would mean one byte less of data.
  if ((last & 127) === 0) throw new BocError('bits', `the data of cell ${index} has no completion tag`)
  return length * 8 - 1 - (31 - Math.clz32(last & -last))
}

function checkHashes(cell: Cell, bytes: Buffer, at: number, index: number): void {
  let hashAt = at
  let depthAt = at + 32 * hashCount(cell.mask)
  for (let level = 0; level <= levelOf(cell.mask); level++) {
    if (!isSignificant(cell.mask, level)) continue
    if (
      cell.hash(level) !== bytes.toString('latin1', hashAt, hashAt + 32) ||
      cell.depth(level) !== bytes.readUInt16BE(depthAt)
    )
      throw new BocError('hashes', `the hash stored with cell ${index} is wrong`)
    hashAt += 32
    depthAt += 2
  }
}

// A set cache bit says that the cell is referred to more than once, roots counted.
function checkCacheBits(view: Buffer, header: BocHeader, bytes: Buffer, starts: Uint32Array): void {
  const { refSize, indexAt, indexSize, cells } = header
  const uses = new Uint8Array(cells)
  const use = (index: number): void => {
    uses[index] = Math.min(2, (uses[index] ?? 0) + 1)
  }
  for (const root of header.roots) use(root)
  for (let i = 0; i < cells; i++) {
    const start = starts[i] ?? 0
    const first = byteAt(bytes, start)
    let at = start + 2 + hashesLength(first) + dataLength(byteAt(bytes, start + 1))
    for (let k = first & REFS; k > 0; k--, at += refSize) use(readNumber(bytes, at, refSize))
  }
  for (let i = 0; i < cells; i++)
    if ((byteAt(view, indexAt + (i + 1) * indexSize - 1) & 1) !== byteAt(uses, i) >> 1)
      throw new BocError('index', `the cache bit of cell ${i} is wrong`)
}
