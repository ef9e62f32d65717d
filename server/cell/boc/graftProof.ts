// Proofs of one tree, each of which shows another part of it. What an earlier one has shown is compared instead of hashed: a cell
// that is known by its hash is the same where data and hashes of references are. New parts are hashed and set into a copy of the
// cells above them.

import { byteAt } from '../bits.ts'
import { type Cell, makeCell } from '../cell.ts'
import { CellKind, descriptor } from '../exotic.ts'
import type { BinaryHash } from '../hash.ts'
import { MAX_LEVEL } from '../levels.ts'
import { currentSlab, placeInSlab } from '../slab.ts'
import { type BocLimits, readNumber } from './bocHeader.ts'
import { cellBits, type OpenBag, openBag } from './readBoc.ts'

const REFS = 7
const EXOTIC = 8
const WITH_HASHES = 16
const LEVEL_SHIFT = 5
/** Descriptors of a Merkle proof without levels, and of a branch that is pruned at the first level. */
const PROOF = [9, 70] as const
const PRUNED = [40, 72] as const
const PRUNED_BYTES = 36
const PROOF_HASH = 1
const PROOF_DEPTH = 33
const HASH = 32

/** What was proven before. */
export interface KnownProof {
  /** The first root, which all bags have in common. */
  readonly first: Cell
  /** As seen through all the proofs. */
  readonly tree: Cell
  /** Its parts as they are where a proof cuts them off, by their hashes; more are added. */
  readonly cuts: Map<BinaryHash, Cell>
}

export interface GraftedProof {
  /** The tree as this proof shows it. */
  readonly shown: Cell
  /** As seen through all the proofs. */
  readonly tree: Cell
  /** Cells that are new. */
  readonly added: number
}

/** Compares one bag with a tree. */
class Graft {
  added = 0
  readonly #bag: OpenBag
  /** Level masks by cell, one more than they are; 0 of those not met. */
  readonly #met: Uint8Array
  readonly #made: (Cell | undefined)[] = []
  /** Comparisons that are left: cells of a bag may be referred to by many. */
  #left: number
  readonly #cuts: Map<BinaryHash, Cell>
  /** What the bag shows of the cell that was compared last. */
  shown: Cell

  constructor(bag: OpenBag, { tree, cuts }: KnownProof) {
    this.#bag = bag
    this.#cuts = cuts
    this.shown = tree
    this.#met = new Uint8Array(bag.header.cells)
    this.#left = 2 * bag.header.cells
  }

  /** Null unless it is a proof of this tree. */
  proof(index: number, tree: Cell): Cell | null {
    const { data, starts } = this.#bag
    const start = starts[index] ?? 0
    const at = start + 2
    if (!this.#isDescribed(start, PROOF) || byteAt(data, at) !== CellKind.merkleProof) return null
    if (!isHashAt(data, at + PROOF_HASH, tree) || data.readUInt16BE(at + PROOF_DEPTH) !== tree.depth(0)) return null
    const to = this.#target(index, at + PROOF_DEPTH + 2)
    if (to < 0) return null
    this.#met[index] = 1
    return this.#grafted(to, tree)
  }

  /** Whether no cell was left out. */
  isComplete(): boolean {
    const { cells, header } = this.#bag
    for (let i = 0; i < header.cells; i++) if (this.#met[i] === 0 && cells[i] === undefined) return false
    return true
  }

  /** The known cell with what the bag shows below it; null where both differ. */
  #grafted(index: number, known: Cell): Cell | null {
    if (--this.#left < 0) return null
    const { data, starts, header } = this.#bag
    const start = starts[index] ?? 0
    const first = byteAt(data, start)
    if (this.#isDescribed(start, PRUNED)) {
      if (!this.#isPruned(index) || !isCutFrom(data, start, known)) return null
      this.shown = this.#cutOf(known, start)
      return known
    }
    if (known.isExotic) {
      const made = this.#build(index, known.depth(0))
      if (made === null || made.hash(0) !== known.hash(0) || made.depth(0) !== known.depth(0)) return null
      this.shown = made
      return made
    }
    const { bits, bytes, offset, refs } = known
    const length = (bits + 7) >> 3
    if ((first & (EXOTIC | WITH_HASHES)) !== 0 || (first & REFS) !== refs.length) return null
    if (byteAt(data, start + 1) !== (bits >> 3) + length) return null
    for (let i = 0; i < length; i++) if (byteAt(data, start + 2 + i) !== byteAt(bytes, offset + i)) return null
    let changed: readonly Cell[] = refs
    let shown: readonly Cell[] = refs
    let mask = 0
    for (let i = 0, at = start + 2 + length; i < refs.length; i++, at += header.refSize) {
      const ref = refs[i]
      const to = this.#target(index, at)
      const found = ref === undefined || to < 0 ? null : this.#grafted(to, ref)
      if (found === null) return null
      mask |= (this.#met[to] ?? 1) - 1
      if (found !== ref) changed = changed.with(i, found)
      if (this.shown !== ref) shown = shown.with(i, this.shown)
    }
    if (first >> LEVEL_SHIFT !== mask) return null
    this.#met[index] = mask + 1
    // Whether it is seen through a proof differs where this one cuts off less, or more, than those before.
    const isAlike = known.isVirtual === (mask !== 0)
    if (isAlike) this.shown = shown === refs ? known : known.moved(bytes, offset, shown)
    else this.shown = makeCell(bytes, offset, bits, shown, false)
    return changed === refs ? known : known.moved(bytes, offset, changed)
  }

  /** A known part where the bag has it cut off. */
  #cutOf(known: Cell, start: number): Cell {
    if (known.kind === CellKind.pruned) return known
    const hash = known.hash(0)
    const before = this.#cuts.get(hash)
    if (before !== undefined) return before
    const cut = this.#pruned(start)
    this.#cuts.set(hash, cut)
    return cut
  }

  #pruned(start: number): Cell {
    this.added++
    // A copy: the bytes may be a small part of what came over the network.
    const offset = placeInSlab(this.#bag.data, start + 2, PRUNED_BYTES)
    return makeCell(currentSlab(), offset, 8 * PRUNED_BYTES, [], true).lowered(0, [])
  }

  /** A cell that is new, as it is seen from below; null for a form that proofs of states do not have, or one too deep. */
  #build(index: number, depth: number): Cell | null {
    const before = this.#made[index]
    if (before !== undefined) return before
    if (depth < 0) return null
    const { data, starts, header } = this.#bag
    const start = starts[index] ?? 0
    const first = byteAt(data, start)
    if (this.#isDescribed(start, PRUNED) && this.#isPruned(index)) {
      const pruned = this.#pruned(start)
      this.#made[index] = pruned
      return pruned
    }
    if ((first & (EXOTIC | WITH_HASHES)) !== 0) return null
    const bits = cellBits(data, start, index)
    const length = (bits + 7) >> 3
    const refs: Cell[] = []
    let mask = 0
    for (let i = first & REFS, at = start + 2 + length; i > 0; i--, at += header.refSize) {
      const to = this.#target(index, at)
      const ref = to < 0 ? null : this.#build(to, depth - 1)
      if (ref === null) return null
      mask |= (this.#met[to] ?? 1) - 1
      refs.push(ref)
    }
    if (first >> LEVEL_SHIFT !== mask) return null
    this.#met[index] = mask + 1
    this.added++
    const offset = placeInSlab(data, start + 2, length)
    const cell = makeCell(currentSlab(), offset, bits, refs, false)
    this.#made[index] = cell
    return cell
  }

  /** Notes a branch that is pruned at the first level. */
  #isPruned(index: number): boolean {
    const { data, starts } = this.#bag
    const at = (starts[index] ?? 0) + 2
    const isOne = byteAt(data, at) === CellKind.pruned && byteAt(data, at + 1) === 1
    if (isOne) this.#met[index] = 2
    return isOne
  }

  #isDescribed(start: number, [first, second]: readonly [number, number]): boolean {
    const { data } = this.#bag
    return byteAt(data, start) === first && byteAt(data, start + 1) === second
  }

  /** The cell a reference leads to; -1 for one that may not be. */
  #target(index: number, at: number): number {
    const { data, header } = this.#bag
    const to = readNumber(data, at, header.refSize)
    return to > index && to < header.cells ? to : -1
  }
}

function isHashAt(bytes: Buffer, at: number, cell: Cell): boolean {
  const hash = cell.hash(0)
  for (let i = 0; i < HASH; i++) if (byteAt(bytes, at + i) !== hash.charCodeAt(i)) return false
  return true
}

const isCutFrom = (data: Buffer, start: number, known: Cell): boolean =>
  isHashAt(data, start + 4, known) && data.readUInt16BE(start + PRUNED_BYTES) === known.depth(0)

/**
 * Takes a known cell for the one that begins at a place of the bag, if that has all of its bytes and those of all cells below; what
 * matches below one that does not is taken too. None is looked at again once it was taken, and a difference ends the search.
 */
function adopt(bag: OpenBag, index: number, known: Cell): boolean {
  const { data: bytes, starts, header, cells } = bag
  const taken = cells[index]
  if (taken !== undefined) return taken === known
  const { refs, bits, kind, mask, offset } = known
  const start = starts[index] ?? 0
  const length = (bits + 7) >> 3
  if (byteAt(bytes, start) !== descriptor(refs.length, kind, mask, MAX_LEVEL)) return false
  if (byteAt(bytes, start + 1) !== (bits >> 3) + length) return false
  for (let i = 0; i < length; i++) if (byteAt(bytes, start + 2 + i) !== byteAt(known.bytes, offset + i)) return false
  for (let i = 0, at = start + 2 + length; i < refs.length; i++, at += header.refSize) {
    const to = readNumber(bytes, at, header.refSize)
    const ref = refs[i]
    if (ref === undefined || to <= index || to >= cells.length || !adopt(bag, to, ref)) return false
  }
  cells[index] = known
  return true
}

/**
 * Reads a bag of two roots: the known first one with all of its bytes, and a proof of the known tree. Null for any other bag, and for
 * one that does not agree with both: what is wrong with it is found by reading it. Throws BocError.
 */
export function graftProof(input: Uint8Array, limits: BocLimits, known: KnownProof): GraftedProof | null {
  const bag = openBag(input, { ...limits, isConstant: true })
  const { roots, hasCacheBits } = bag.header
  const [one, other] = roots
  if (hasCacheBits || roots.length !== 2 || one === undefined || other === undefined) return null
  if (!adopt(bag, one, known.first)) return null
  const graft = new Graft(bag, known)
  const tree = graft.proof(other, known.tree)
  return tree === null || !graft.isComplete() ? null : { shown: graft.shown, tree, added: graft.added }
}
