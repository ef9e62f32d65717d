// Proofs of one tree, each of which shows another part of it. What an earlier one has shown is compared instead of hashed: a cell
// that is known by its hash is the same where data and hashes of references are. Only parts that are new are made and hashed; what
// is looked up is read from the bag itself, so that a proof shows all that it is taken for.

import { bitAt, byteAt, commonBits } from '../bits.ts'
import { type Cell, makeCell } from '../cell.ts'
import { parseLabel } from '../dict/dictNode.ts'
import { CellKind, descriptor } from '../exotic.ts'
import type { BinaryHash } from '../hash.ts'
import { MAX_LEVEL } from '../levels.ts'
import { currentSlab, placeInSlab } from '../slab.ts'
import { Slice } from '../slice.ts'
import { type BocLimits, readNumber } from './bocHeader.ts'
import { cellBits, type OpenBag, openBag } from './readBoc.ts'

const REFS = 7
const EXOTIC = 8
const WITH_HASHES = 16
const LEVEL_SHIFT = 5
/** Descriptors of a Merkle proof without levels, and of a branch that is pruned at the first level. */
const PROOF_REFS = 9
const PROOF_LENGTH = 70
const PRUNED_REFS = 40
const PRUNED_LENGTH = 72
const PRUNED_BYTES = 36
const PROOF_HASH = 1
const PROOF_DEPTH = 33
const HASH = 32

/** What was proven before. */
export interface KnownProof {
  /** The first root, which all bags have in common; null where they have the proof alone. */
  readonly first: Cell | null
  /** As one proof has shown it. */
  readonly tree: Cell
  /** Parts that it cuts off and other proofs have shown, by their hashes; more are added. */
  readonly parts: Map<BinaryHash, Cell>
}

/** A leaf of a dictionary in the tree. */
export interface WantedLeaf {
  /** The references that lead from the root of the tree to that of the dictionary. */
  readonly path: readonly number[]
  readonly key: Uint8Array
}

export interface GraftedLeaf {
  /** Behind its label; null when the dictionary has no such key. */
  readonly leaf: Slice | null
  /** Cells of the tree that are new. */
  readonly added: number
}

const CUT_OFF = -1
/** Of cells that were met: level masks, one more than they are; 0 of the others. For small bags, each until the next one is read. */
const spareMasks = new Uint8Array(256)
/** The same for cells that were made: a list that grows up to their numbers takes more memory than the cells. */
const spareMade = new Array<Cell | undefined>(spareMasks.length).fill(undefined)

/** Compares one bag with a tree. */
class Graft {
  added = 0
  readonly #bag: OpenBag
  readonly #met: Uint8Array
  readonly #made: (Cell | undefined)[]
  readonly #tree: Cell
  readonly #parts: Map<BinaryHash, Cell>
  /** Parts that are not yet among those that are known. */
  readonly #found: Cell[] = []
  /** Comparisons that are left: cells of a bag may be referred to by many. */
  #left: number

  constructor(bag: OpenBag, { tree, parts }: KnownProof) {
    const { cells } = bag.header
    this.#bag = bag
    this.#tree = tree
    this.#parts = parts
    this.#met = cells <= spareMasks.length ? spareMasks.fill(0, 0, cells) : new Uint8Array(cells)
    this.#made = cells <= spareMade.length ? spareMade.fill(undefined, 0, cells) : new Array<Cell | undefined>(cells)
    this.#left = 2 * cells
  }

  /** The root of the tree in a proof of it; -1 where there is none, or not all agrees. */
  proof(index: number): number {
    const { data, starts } = this.#bag
    const start = starts[index] ?? 0
    const at = start + 2
    if (byteAt(data, start) !== PROOF_REFS || byteAt(data, start + 1) !== PROOF_LENGTH) return -1
    if (byteAt(data, at) !== CellKind.merkleProof || !isHashAt(data, at + PROOF_HASH, this.#tree)) return -1
    if (data.readUInt16BE(at + PROOF_DEPTH) !== this.#tree.depth(0)) return -1
    const to = this.#target(index, at + PROOF_DEPTH + 2)
    this.#met[index] = 1
    return to >= 0 && this.#isSame(to, this.#tree) && this.#isComplete() ? to : -1
  }

  /** Adds what is new to what is known. */
  keep(): void {
    for (const part of this.#found) this.#parts.set(part.hash(0), part)
  }

  /** Undefined where the bag cuts off the way to it. Throws CellError for what is no dictionary. */
  leaf(root: number, { path, key }: WantedLeaf): Slice | null | undefined {
    const { data, starts } = this.#bag
    const keyBits = 8 * key.length
    let index = this.#shown(root)
    for (const step of path) if (index >= 0) index = this.#child(index, step)
    for (let at = 0; index >= 0; at++) {
      const start = starts[index] ?? 0
      const begin = 8 * (start + 2)
      const label = parseLabel(data, begin, begin + cellBits(data, start, index), keyBits - at)
      const { end, length } = label
      if (commonBits(label.bytes, label.at, key, at, length) < length) return null
      at += length
      if (at === keyBits) return this.#behind(index, end - begin)
      index = this.#child(index, bitAt(key, at))
    }
    return undefined
  }

  #behind(index: number, bits: number): Slice | undefined {
    const cell = this.#build(index, this.#tree.depth(0))
    if (cell === null) return undefined
    const at = 8 * cell.offset
    return new Slice(cell, at + bits, at + cell.bits, 0, cell.refs.length)
  }

  /** Of a cell that was met and is shown; -1 where there is no such reference, or it leads to what is cut off. */
  #child(index: number, step: number): number {
    const { data, starts, header } = this.#bag
    const start = starts[index] ?? 0
    if (step >= (byteAt(data, start) & REFS)) return CUT_OFF
    return this.#shown(this.#target(index, start + 2 + ((byteAt(data, start + 1) + 1) >> 1) + step * header.refSize))
  }

  #shown(index: number): number {
    return index >= 0 && (byteAt(this.#bag.data, this.#bag.starts[index] ?? 0) & EXOTIC) === 0 ? index : CUT_OFF
  }

  /** Whether no cell was left out. */
  #isComplete(): boolean {
    const { cells, header } = this.#bag
    for (let i = 0; i < header.cells; i++) if (this.#met[i] === 0 && cells[i] === undefined) return false
    return true
  }

  /** Whether the cell and all below it that the bag shows are those of the tree. */
  #isSame(index: number, part: Cell): boolean {
    if (--this.#left < 0) return false
    const { data, starts, header } = this.#bag
    const start = starts[index] ?? 0
    const first = byteAt(data, start)
    const second = byteAt(data, start + 1)
    if (first === PRUNED_REFS && second === PRUNED_LENGTH) return this.#isPruned(index) && isCutFrom(data, start, part)
    const known = part.isExotic ? this.#parts.get(part.hash(0)) : part
    if (known === undefined) return this.#isNew(index, part)
    const { bits, bytes, offset, refs } = known
    const length = (bits + 7) >> 3
    if ((first & (EXOTIC | WITH_HASHES)) !== 0 || (first & REFS) !== refs.length) return false
    if (second !== (bits >> 3) + length) return false
    for (let i = 0; i < length; i++) if (byteAt(data, start + 2 + i) !== byteAt(bytes, offset + i)) return false
    let mask = 0
    for (let i = 0, at = start + 2 + length; i < refs.length; i++, at += header.refSize) {
      const ref = refs[i]
      const to = this.#target(index, at)
      if (ref === undefined || to < 0 || !this.#isSame(to, ref)) return false
      mask |= byteAt(this.#met, to) - 1
    }
    if (first >> LEVEL_SHIFT !== mask) return false
    this.#met[index] = mask + 1
    return true
  }

  /** The same for what is shown for the first time. */
  #isNew(index: number, cut: Cell): boolean {
    const made = this.#build(index, cut.depth(0))
    if (made === null || made.hash(0) !== cut.hash(0) || made.depth(0) !== cut.depth(0)) return false
    this.#found.push(made)
    return true
  }

  /** A cell as it is seen from below; null for a form that proofs of states do not have, or one too deep. */
  #build(index: number, depth: number): Cell | null {
    const before = this.#made[index]
    if (before !== undefined) return before
    if (depth < 0) return null
    const { data, starts, header } = this.#bag
    const start = starts[index] ?? 0
    const first = byteAt(data, start)
    if (first === PRUNED_REFS && byteAt(data, start + 1) === PRUNED_LENGTH && this.#isPruned(index)) {
      this.added++
      // A copy: the bytes may be a small part of what came over the network.
      const offset = placeInSlab(data, start + 2, PRUNED_BYTES)
      const pruned = makeCell(currentSlab(), offset, 8 * PRUNED_BYTES, [], true).lowered(0, [])
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
      mask |= byteAt(this.#met, to) - 1
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
 * Looks up a leaf in a bag of the known first root, if there is one, with all of its bytes, and a proof of the known tree. Null for any
 * other bag, and for one that does not agree with both or does not show the leaf: what is wrong with it is found by reading it. `limits`
 * must have `isConstant`. Throws CellError.
 */
export function graftProof(
  input: Uint8Array,
  limits: BocLimits & { readonly isConstant: true },
  known: KnownProof,
  wanted: WantedLeaf,
): GraftedLeaf | null {
  const bag = openBag(input, limits)
  const { roots, hasCacheBits } = bag.header
  const { first } = known
  const [one] = roots
  const proof = first === null ? one : roots[1]
  if (hasCacheBits || roots.length !== (first === null ? 1 : 2) || one === undefined || proof === undefined) return null
  if (first !== null && !adopt(bag, one, first)) return null
  const graft = new Graft(bag, known)
  const root = graft.proof(proof)
  if (root < 0) return null
  const { added } = graft
  const leaf = graft.leaf(root, wanted)
  if (leaf === undefined) return null
  graft.keep()
  return { leaf, added }
}
