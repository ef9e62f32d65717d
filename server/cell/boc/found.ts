// The distinct cells of trees, each numbered once, references before those that refer to them. Cells are identified by
// their hash; blocks have tens of thousands of them, so their properties are kept in plain arrays.

import { randomBytes } from 'node:crypto'
import type { Cell } from '../cell.ts'
import { CellError } from '../cellErrors.ts'
import { CellKind } from '../exotic.ts'
import type { BinaryHash } from '../hash.ts'
import { hashing } from '../hashing.ts'

const HEAVIEST = 255
/** Cells there is room for at first. */
const ROOM = 32
/** Many cells can be cut from one, each in another way: no proof has so many. */
const MOST_MISTAKEN = 64
/** Steps of a piece. */
const PIECE = 1024
/** Room that is worth keeping for the next bag: most are small. */
const KEPT_ROOM = 512

/**
 * What is written for a cell: itself; a pruned branch; itself over references of which some are cut off; itself, all below it being
 * shown; or a Merkle proof of it.
 */
export const CellForm = { whole: 0, pruned: 1, cut: 2, shown: 3, proof: 4 } as const
export type CellForm = (typeof CellForm)[keyof typeof CellForm]

export class FoundCells {
  readonly cells: Cell[] = []
  /** `CellForm` of each cell. */
  forms = new Uint8Array(ROOM)
  /** How many references each cell has. */
  counts = new Uint8Array(ROOM)
  /** Numbers of the references of each cell, four per cell. */
  refs = new Int32Array(4 * ROOM)
  /** Cells below each one, itself included, up to the most that counts. */
  weight = new Uint8Array(ROOM)
  /** Whether more than one reference leads to the cell. */
  shared = new Uint8Array(ROOM)
  /** For ordering the cells: the position of each, and the cell at each position. */
  positions = new Int32Array(ROOM)
  numbers = new Int32Array(ROOM)
  /** What each cell is found by. */
  protected readonly keys: BinaryHash[] = []
  // Numbers of cells, one more than they are, where their hashes lead; twice as many places as there is room for cells.
  protected places = new Int32Array(2 * ROOM)
  /** How often cells with one key were not equal. */
  private mistaken = 0
  /** True: cells are compared by their hashes. False for proofs, whose cells would have to be hashed for that. */
  protected isExact = true

  /** To be called with the roots of the next bag. Cells of a proof are compared without their own hashes, which nothing else needs. */
  expect(roots: readonly Cell[], hasPlanned: boolean): void {
    this.isExact = !hasPlanned && !roots.some((root) => root.kind === CellKind.merkleProof && !root.isHashed)
  }

  /** Takes in a tree and returns the number of its root. Throws CellError `virtual` for one seen through a proof. */
  add(cell: Cell): number {
    const known = this.find(cell)
    if (known >= 0) {
      this.shared[known] = 1
      return known
    }
    checkWhole(cell)
    const { refs } = cell
    const count = refs.length
    let first = 0
    let second = 0
    let third = 0
    let fourth = 0
    for (let i = 0; i < count; i++) {
      const ref = refs[i]
      if (ref === undefined) continue
      const number = this.add(ref)
      if (i === 0) first = number
      else if (i === 1) second = number
      else if (i === 2) third = number
      else fourth = number
    }
    return this.enter(cell, first, second, third, fourth)
  }

  /** The same in pieces. */
  *adding(root: Cell): Generator<void, number> {
    checkWhole(root)
    yield* hashing(root)
    if (this.find(root) >= 0) return this.add(root)
    const path = [root]
    const next = [0]
    let steps = 0
    for (let cell = path.at(-1); cell !== undefined; cell = path.at(-1)) {
      const at = path.length - 1
      const i = next[at] ?? 0
      const ref = cell.refs[i]
      if (ref === undefined) {
        const [first, second, third, fourth] = cell.refs
        this.enter(cell, this.numberOf(first), this.numberOf(second), this.numberOf(third), this.numberOf(fourth))
        path.pop()
        next.pop()
      } else {
        next[at] = i + 1
        // A leaf, or one that is known.
        if (ref.refs.length === 0 || this.find(ref) >= 0) this.add(ref)
        else {
          path.push(ref)
          next.push(0)
        }
      }
      if (++steps % PIECE === 0) yield
    }
    return this.numberOf(root)
  }

  private numberOf(cell: Cell | undefined): number {
    return cell === undefined ? 0 : this.find(cell)
  }

  /** Takes in a cell, behind those it refers to. */
  protected enter(
    cell: Cell,
    first: number,
    second: number,
    third: number,
    fourth: number,
    form: CellForm = CellForm.whole,
    count = cell.refs.length,
  ): number {
    const index = this.take(cell, form)
    let weight = 1
    if (count > 0) {
      const at = 4 * index
      this.refs[at] = first
      this.refs[at + 1] = second
      this.refs[at + 2] = third
      this.refs[at + 3] = fourth
      for (let k = at; k < at + count; k++) weight += this.weight[this.refs[k] ?? 0] ?? 0
    }
    this.counts[index] = count
    this.weight[index] = weight > HEAVIEST ? HEAVIEST : weight
    return index
  }

  /** Forgets all cells. False when so much room is not worth keeping. */
  clear(): boolean {
    if (this.weight.length > KEPT_ROOM) return false
    this.shared.fill(0, 0, this.cells.length)
    this.places.fill(0)
    this.cells.length = 0
    this.keys.length = 0
    this.mistaken = 0
    return true
  }

  private find(cell: Cell): number {
    const { places, cells, keys } = this
    const key = this.keyOf(cell)
    const mask = places.length - 1
    for (let at = firstPlaceOf(key) & mask; ; at = (at + 1) & mask) {
      const number = places[at] ?? 0
      if (number === 0) return -1
      if (keys[number - 1] !== key) continue
      const other = cells[number - 1]
      if (other === undefined || (this.forms[number - 1] ?? 0) !== CellForm.whole) continue
      if (this.isExact || other === cell || (isKnownByKey(cell) && isKnownByKey(other))) return number - 1
      if (!isAlike(cell, other)) continue
      if (cell.refs.length === 0 ? hasSameData(cell, other) : other.equals(cell)) return number - 1
      if (++this.mistaken === MOST_MISTAKEN) {
        this.lookAtHashes()
        return this.find(cell)
      }
    }
  }

  private keyOf(cell: Cell): BinaryHash {
    return this.isExact ? cell.hash() : keyOf(cell)
  }

  /** Compares by hashes from now on, which takes the same time however many cells are alike. */
  private lookAtHashes(): void {
    this.isExact = true
    this.places.fill(0)
    for (const [i, cell] of this.cells.entries()) {
      this.keys[i] = this.keyOf(cell)
      this.place(i)
    }
  }

  private take(cell: Cell, form: CellForm): number {
    const index = this.cells.length
    if (index === this.weight.length) this.grow()
    this.cells.push(cell)
    this.forms[index] = form
    this.keys.push(form === CellForm.whole ? this.keyOf(cell) : cell.hash())
    this.place(index)
    return index
  }

  private place(index: number): void {
    const { places } = this
    const mask = places.length - 1
    let at = firstPlaceOf(this.keys[index] ?? '') & mask
    while (places[at] !== 0) at = (at + 1) & mask
    places[at] = index + 1
  }

  private grow(): void {
    const room = 4 * this.weight.length
    this.counts = enlarged(this.counts, new Uint8Array(room))
    this.positions = new Int32Array(room)
    this.numbers = new Int32Array(room)
    this.refs = enlarged(this.refs, new Int32Array(4 * room))
    this.weight = enlarged(this.weight, new Uint8Array(room))
    this.shared = enlarged(this.shared, new Uint8Array(room))
    this.forms = enlarged(this.forms, new Uint8Array(room))
    this.places = new Int32Array(2 * room)
    for (let i = 0; i < this.cells.length; i++) this.place(i)
  }
}

/** Whether two cells of one key may be equal: one was cut in as many ways as the other. */
const isAlike = (a: Cell, b: Cell): boolean =>
  a.mask === b.mask && a.kind === b.kind && a.bits === b.bits && a.refs.length === b.refs.length

function hasSameData(a: Cell, b: Cell): boolean {
  const length = (a.bits + 7) >> 3
  return a.bytes.compare(b.bytes, b.offset, b.offset + length, a.offset, a.offset + length) === 0
}

/** Whether its key is its hash. */
export const isKnownByKey = (cell: Cell): boolean => cell.mask === 0 && cell.kind !== CellKind.merkleProof

/**
 * What equal cells have in common. The hash of the original of a cell that was cut, and of the tree that a proof is of: their own
 * hashes would have to be computed, of every cell of a proof, and nearly always there is no second cell of that key.
 */
const keyOf = (cell: Cell): BinaryHash =>
  (isKnownByKey(cell) || cell.mask !== 0 ? cell : (cell.refs[0] ?? cell)).hash(0)

function checkWhole(cell: Cell): void {
  if (cell.isVirtual) throw new CellError('virtual', 'a tree seen through a proof cannot be serialised')
}

/** Random in each process: cells whose hashes collide cannot be prepared. */
const SECRET = randomBytes(4).readInt32LE()
const SPREAD = 0x9e3779b1

// Hashes are even: four bytes of one say enough.
export function firstPlaceOf(hash: BinaryHash): number {
  const bytes = hash.charCodeAt(0) | (hash.charCodeAt(1) << 8) | (hash.charCodeAt(2) << 16) | (hash.charCodeAt(3) << 24)
  const mixed = Math.imul(bytes ^ SECRET, SPREAD)
  return mixed ^ (mixed >>> 16)
}

function enlarged<T extends Int32Array | Uint8Array>(old: T, wide: T): T {
  wide.set(old)
  return wide
}
