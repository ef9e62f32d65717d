// A cell: up to 1023 bits and four references, immutable. Its data lies in a byte array it shares with its neighbours
// (a bag of cells, a slab of freshly built ones), so that a cell is one small object. Depth and levels are computed at
// once, the hash on first use.

import { CellError } from './cellErrors.ts'
import { CellKind, childLevel, depthOver, depthsOf, descriptor, exoticMask, kindOf, prunedHashAt } from './exotic.ts'
import { type BinaryHash, hashToBytes, hashToHex } from './hash.ts'
import { hashCount, hashIndex, isSignificant, levelOf, MAX_LEVEL, maskUpTo } from './levels.ts'
import { hashOfData, hashOfHash } from './representation.ts'

export const MAX_BITS = 1023
export const MAX_REFS = 4
/** A node refuses deeper trees. */
export const MAX_DEPTH = 1024

const NO_REFS: readonly Cell[] = []
// Flags: three bits of level mask, three bits of kind, one bit for "part of a virtual tree", one for "hashes lie before the data".
const KIND_SHIFT = 3
const VIRTUAL = 64
const STORED = 128
/** Hash and depth. */
const STORED_LENGTH = 34

export class Cell {
  /** Shared storage, for this room only: never write to it. */
  readonly bytes: Buffer
  /** First byte of the data in `bytes`. The last byte carries the completion tag when `bits` is no multiple of 8. */
  readonly offset: number
  readonly bits: number
  readonly refs: readonly Cell[]
  private flags: number
  private readonly topDepth: number
  private topHash: BinaryHash = ''
  private readonly depths: readonly number[] | null
  private hashes: readonly BinaryHash[] | null = null

  /** Checks nothing: cells are made by `makeCell`, builders and readers. */
  constructor(
    bytes: Buffer,
    offset: number,
    bits: number,
    refs: readonly Cell[],
    flags: number,
    depth: number,
    depths: readonly number[] | null,
  ) {
    this.bytes = bytes
    this.offset = offset
    this.bits = bits
    this.refs = refs
    this.flags = flags
    this.topDepth = depth
    this.depths = depths
  }

  get kind(): CellKind {
    // The cast: the constructor is given a kind, in three bits of the flags.
    return ((this.flags >> KIND_SHIFT) & 7) as CellKind
  }

  get isExotic(): boolean {
    return this.kind !== CellKind.ordinary
  }

  /** Level mask: 0 unless there are pruned branches below, outside of their Merkle cell. */
  get mask(): number {
    return this.flags & 7
  }

  get level(): number {
    return levelOf(this.flags)
  }

  /** Whether the cell is seen through a proof: it then has the hashes of the whole tree, but cannot be serialised. */
  get isVirtual(): boolean {
    return (this.flags & VIRTUAL) !== 0
  }

  /** Mask and virtuality as a parent inherits them. */
  get inherited(): number {
    return this.flags & (VIRTUAL | 7)
  }

  /** Depth at a level, by default of the representation. */
  depth(level: number = MAX_LEVEL): number {
    return this.depths === null || level === MAX_LEVEL
      ? this.topDepth
      : (this.depths[hashIndex(this.flags, level)] ?? this.topDepth)
  }

  /** Hash at a level, by default of the representation. For a proven tree `hash(0)` is the hash of the original. */
  hash(level: number = MAX_LEVEL): BinaryHash {
    if (this.topHash === '') {
      if (level !== MAX_LEVEL && this.isLowest(level)) return this.lowHash()
      this.computeHashes()
    }
    return this.hashes === null || level === MAX_LEVEL
      ? this.topHash
      : (this.hashes[hashIndex(this.flags, level)] ?? this.topHash)
  }

  /** Whether the hash of the representation is known. */
  get isHashed(): boolean {
    return this.topHash !== ''
  }

  /** The same as 32 fresh bytes. */
  hashBytes(level?: number): Uint8Array {
    return hashToBytes(this.hash(level))
  }

  hashHex(level?: number): string {
    return hashToHex(this.hash(level))
  }

  /** A copy of the data, the unused bits of the last byte zero. */
  data(): Uint8Array {
    const data = new Uint8Array((this.bits + 7) >> 3)
    data.set(this.bytes.subarray(this.offset, this.offset + data.length))
    const used = this.bits & 7
    if (used !== 0) data[data.length - 1] = (data[data.length - 1] ?? 0) & (0xff00 >> used)
    return data
  }

  /** Whether both have the same representation, hence the same content. */
  equals(other: Cell): boolean {
    return this === other || this.hash() === other.hash()
  }

  /** Short text for logs and failed tests. */
  toString(): string {
    return `cell ${this.hashHex()} (kind ${this.kind}, ${this.bits} bits, ${this.refs.length} references)`
  }

  private computeHashes(): void {
    const { kind, mask, bytes, offset, bits, refs } = this
    if ((this.flags & STORED) !== 0) {
      this.adoptHashes(bytes, offset - STORED_LENGTH * hashCount(mask))
      return
    }
    const count = refs.length
    if (mask === 0) {
      this.topHash = hashOfData(descriptor(count, kind, 0, 0), bytes, offset, bits, refs, childLevel(kind, 0))
      return
    }
    const top = levelOf(mask)
    if (hashCount(mask) === 2) {
      // Nearly all of them: a literal has no spare room, and these arrays stay as long as the cell.
      const first = this.lowHash()
      this.topHash = this.hashAt(top, 1, first)
      this.hashes = [first, this.topHash]
      return
    }
    const hashes = [this.hashAt(0, 0, undefined)]
    for (let level = 1; level <= top; level++)
      if (isSignificant(mask, level)) hashes.push(this.hashAt(level, hashes.length, hashes.at(-1)))
    this.hashes = hashes.slice()
    this.topHash = hashes.at(-1) ?? ''
  }

  /** Whether the hash at a level is the lower one of two, which are computed here. */
  private isLowest(level: number): boolean {
    const { mask } = this
    return (this.flags & STORED) === 0 && hashCount(mask) === 2 && hashIndex(mask, level) === 0
  }

  /** The lower one of two hashes without the other: checking a proof takes that of the original tree alone. */
  private lowHash(): BinaryHash {
    const known = this.hashes?.[0]
    if (known !== undefined) return known
    const hash = this.hashAt(0, 0, undefined)
    this.hashes = [hash]
    return hash
  }

  private hashAt(level: number, index: number, below: BinaryHash | undefined): BinaryHash {
    const { kind, mask, bytes, offset, bits, refs } = this
    if (kind === CellKind.pruned && index < hashCount(mask) - 1) {
      const at = prunedHashAt(offset, index)
      return bytes.toString('latin1', at, at + 32)
    }
    const first = descriptor(refs.length, kind, mask, level)
    const under = childLevel(kind, level)
    return below === undefined || kind === CellKind.pruned
      ? hashOfData(first, bytes, offset, bits, refs, under)
      : hashOfHash(first, bits, below, refs, under)
  }

  /** Its hashes lie in a bag of a trusted writer before its data, and before its depths: they are read when they are needed. */
  adoptStored(): void {
    this.flags |= STORED
  }

  /** Takes over hashes that a trusted writer stored: one of 32 bytes for each significant level, from `at` on. */
  adoptHashes(bytes: Buffer, at: number): void {
    const count = hashCount(this.mask)
    const end = at + 32 * count
    this.topHash = bytes.toString('latin1', end - 32, end)
    if (count > 1)
      this.hashes = Array.from({ length: count }, (_, i) => bytes.toString('latin1', at + 32 * i, at + 32 * (i + 1)))
  }

  /** The cell as seen from `level`, over references seen the same way; see `virtualize`. */
  lowered(level: number, refs: readonly Cell[]): Cell {
    const mask = maskUpTo(this.mask, level)
    const flags = mask | (this.kind << KIND_SHIFT) | VIRTUAL
    const depth = this.depth(level)
    // Nearly all of them: seen from below every part that is cut off.
    const depths = mask === 0 ? null : (this.depths?.slice(0, hashCount(mask)) ?? null)
    const cell = new Cell(this.bytes, this.offset, this.bits, refs, flags, depth, depths)
    cell.topHash = this.hash(level)
    if (mask !== 0) cell.hashes = this.hashes?.slice(0, hashCount(mask)) ?? null
    return cell
  }

  /**
   * The same cell over references of which some were cut for a Merkle cell above: a new highest level, while everything
   * below it, hash included, stays what it was. That saves half of the hashing of proofs and updates.
   */
  recut(refs: readonly Cell[]): Cell {
    let mask = 0
    for (const ref of refs) mask |= ref.mask
    if (this.kind !== CellKind.ordinary) mask >>= 1
    if (mask === this.mask) return makeCell(this.bytes, this.offset, this.bits, refs, this.isExotic)
    const top = levelOf(mask)
    const under = childLevel(this.kind, top)
    const first = descriptor(refs.length, this.kind, mask, top)
    const hashes: BinaryHash[] = []
    const depths: number[] = []
    for (let level = 0; level < top; level++) {
      if (!isSignificant(mask, level)) continue
      hashes.push(this.hash(level))
      depths.push(this.depth(level))
    }
    const depth = depthOver(refs, under)
    const flags = mask | (this.kind << KIND_SHIFT)
    const cell = new Cell(this.bytes, this.offset, this.bits, refs, flags, depth, [...depths, depth])
    cell.hashes = hashes
    // The usual case. A proof is written into a bag without the hashes of its own cells, so they are computed on first use.
    if (hashes.length === 1) return cell
    cell.topHash = hashOfHash(first, this.bits, this.hash(top - 1), refs, under)
    cell.hashes = [...hashes, cell.topHash]
    return cell
  }

  /** A cell with the same content whose data is stored elsewhere. */
  moved(bytes: Buffer, offset: number, refs: readonly Cell[]): Cell {
    if ((this.flags & STORED) !== 0) this.hash()
    const cell = new Cell(bytes, offset, this.bits, refs, this.flags & ~STORED, this.topDepth, this.depths)
    cell.topHash = this.topHash
    cell.hashes = this.hashes
    return cell
  }
}

/**
 * Makes a cell over data that lies in `bytes` at `offset`, completion tag included. Throws CellError `exotic` when an
 * exotic cell has not the form of its kind, `depth` when the tree gets deeper than 1024.
 */
export function makeCell(bytes: Buffer, offset: number, bits: number, refs: readonly Cell[], exotic: boolean): Cell {
  if (exotic) return makeExotic(bytes, offset, bits, refs)
  const count = refs.length
  if (count === 0) return new Cell(bytes, offset, bits, NO_REFS, 0, 0, null)
  let flags = 0
  for (let i = 0; i < count; i++) flags |= refs[i]?.inherited ?? 0
  const depth = depthOver(refs, MAX_LEVEL)
  const mask = flags & 7
  if (mask === 0) return new Cell(bytes, offset, bits, refs, flags, checkDepth(depth), null)
  const depths = depthsOf(CellKind.ordinary, mask, bytes, offset, refs)
  checkDepth(Math.max(...depths))
  return new Cell(bytes, offset, bits, refs, flags, depth, depths)
}

function makeExotic(bytes: Buffer, offset: number, bits: number, refs: readonly Cell[]): Cell {
  const kind = kindOf(bytes, offset, bits)
  const mask = exoticMask(kind, bytes, offset, bits, refs)
  const virtual = refs.some((ref) => ref.isVirtual) ? VIRTUAL : 0
  const depths = mask === 0 ? null : depthsOf(kind, mask, bytes, offset, refs)
  const depth = depths === null ? depthOver(refs, childLevel(kind, 0)) : (depths.at(-1) ?? 0)
  checkDepth(depths === null ? depth : Math.max(...depths))
  return new Cell(bytes, offset, bits, refs, mask | (kind << KIND_SHIFT) | virtual, depth, depths)
}

function checkDepth(depth: number): number {
  if (depth > MAX_DEPTH) throw new CellError('depth', `a tree of cells is deeper than ${MAX_DEPTH}`)
  return depth
}

/** A branch that is pruned at the first level, as `lowered` makes it, from its bytes. */
export function prunedBelow(bytes: Buffer, offset: number): Cell {
  const depth = bytes.readUInt16BE(offset + 34)
  const cell = new Cell(bytes, offset, 288, NO_REFS, (CellKind.pruned << KIND_SHIFT) | VIRTUAL, depth, null)
  cell.adoptHashes(bytes, offset + 2)
  return cell
}
