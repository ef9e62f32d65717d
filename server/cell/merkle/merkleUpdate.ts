// Merkle updates: the difference of two trees, as blocks carry it for the state. The old half shows what was looked into,
// the new half what is new; what both share is cut off in either.

import { Builder } from '../builder.ts'
import { type Cell, makeCell } from '../cell.ts'
import { MerkleError } from '../cellErrors.ts'
import type { CellUsage } from '../cellUsage.ts'
import { CellKind } from '../exotic.ts'
import { type BinaryHash, hashFromBytes } from '../hash.ts'
import { hashing } from '../hashing.ts'
import { inOnePiece } from '../inOnePiece.ts'
import { currentSlab, placeInSlab } from '../slab.ts'
import { ByDepth, depthBelow, isBoundary, prune, rebuilding } from './pruneTree.ts'

/**
 * The update from one complete tree to another. With `touched`, only old cells recorded there are searched for shared
 * parts and expanded: that bounds the work by what changed, and keeps one subtree shared by many accounts from pulling
 * the paths to all of them into the update. The old half shows the cells of `shown` even when nothing in them is shared.
 */
export function makeUpdate(before: Cell, after: Cell, touched?: CellUsage, shown: readonly Cell[] = []): Cell {
  return inOnePiece(makingUpdate(before, after, touched, shown))
}

/** The same in pieces: of a block of 300 transactions it takes ten milliseconds. */
export function* makingUpdate(
  before: Cell,
  after: Cell,
  touched?: CellUsage,
  shown: Iterable<Cell> = [],
): Generator<void, Cell> {
  if (before.mask !== 0 || after.mask !== 0 || before.isVirtual || after.isVirtual)
    throw new MerkleError('level', 'an update needs two complete trees')
  yield* hashing(after)
  const open = touched === undefined ? () => true : openedIn(touched, before)
  const known = yield* reaching(before, open)
  const kept = new Set<BinaryHash>([before.hash()])
  for (const cell of shown) keepWith(cell.hash(), known, kept)
  yield
  const to = yield* rebuilding(after, (cell, merkleDepth) => {
    if (!known.has(cell.hash())) return null
    keepPath(cell.hash(), known, kept)
    return prune(cell, merkleDepth)
  })
  const from = yield* rebuilding(before, (cell, merkleDepth) =>
    kept.has(cell.hash()) ? null : prune(cell, merkleDepth),
  )
  return wrapUpdate(from, to)
}

function openedIn(touched: CellUsage, root: Cell): (cell: Cell) => boolean {
  const hashes = new Set<BinaryHash>([root.hash()])
  for (const cell of touched.visited) hashes.add(cell.hash())
  return (cell) => hashes.has(cell.hash())
}

type Above = BinaryHash | null

/** Cells of a piece. */
const PIECE = 1024

/** The cells in the open part of a tree, each with the one through which it was first reached. */
function* reaching(root: Cell, open: (cell: Cell) => boolean): Generator<void, Map<BinaryHash, Above>> {
  const known = new Map<BinaryHash, Above>()
  const path: [cell: Cell, above: Above][] = [[root, null]]
  for (let next = path.pop(); next !== undefined; next = path.pop()) {
    const [cell, above] = next
    const hash = cell.hash()
    if (known.has(hash)) continue
    known.set(hash, above)
    if (known.size % PIECE === 0) yield
    if (cell.refs.length > 0 && open(cell))
      for (let i = cell.refs.length - 1; i >= 0; i--) path.push([cell.refs[i] ?? cell, hash])
  }
  return known
}

// What leads to a cell is kept; the cell itself may stay cut.
function keepPath(to: BinaryHash, known: ReadonlyMap<BinaryHash, BinaryHash | null>, kept: Set<BinaryHash>): void {
  for (let above = known.get(to) ?? null; above !== null && !kept.has(above); above = known.get(above) ?? null)
    kept.add(above)
}

function keepWith(cell: BinaryHash, known: ReadonlyMap<BinaryHash, BinaryHash | null>, kept: Set<BinaryHash>): void {
  keepPath(cell, known, kept)
  kept.add(cell)
}

/** The Merkle update cell over two cut trees. */
export function wrapUpdate(from: Cell, to: Cell): Cell {
  return new Builder()
    .storeUint(CellKind.merkleUpdate, 8)
    .storeHash(from.hash(0))
    .storeHash(to.hash(0))
    .storeUint(from.depth(0), 16)
    .storeUint(to.depth(0), 16)
    .storeRef(from)
    .storeRef(to)
    .end(true)
}

/** Hashes of the trees an update leads from and to. Throws MerkleError `notUpdate` for other cells. */
export function updateHashes(update: Cell): { before: BinaryHash; after: BinaryHash } {
  if (update.kind !== CellKind.merkleUpdate) throw new MerkleError('notUpdate', 'not a Merkle update')
  const data = update.data()
  return { before: hashFromBytes(data.subarray(1, 33)), after: hashFromBytes(data.subarray(33, 65)) }
}

/**
 * The new tree, built from the old one and its update. Throws MerkleError `notUpdate`, `rootHash` when the update does not
 * start from `before` or does not arrive where it says, `unknownCell` when it refers to something the old half does not
 * show. The data of new cells is copied, so that a state does not hold on to the blocks that made it.
 */
export function applyUpdate(before: Cell, update: Cell): Cell {
  const hashes = updateHashes(update)
  const [from, to] = update.refs
  if (from === undefined || to === undefined || update.mask !== 0 || before.mask !== 0)
    throw new MerkleError('level', 'the update or the old tree is itself pruned')
  if (before.hash() !== hashes.before) throw new MerkleError('rootHash', 'the update starts from another tree')
  const known = shownCells(before, from)
  const after = fill(to, known)
  if (after.hash() !== hashes.after) throw new MerkleError('rootHash', 'the update does not arrive where it says')
  return after
}

/**
 * A tree of which parts were cut off, made whole with parts of others that hold the same cells. Throws MerkleError
 * `unknownCell` when they do not hold them all.
 */
export const completeTree = (shown: Cell, others: Iterable<Cell>): Cell => fill(shown, new KnownCells(others))

/** The same in pieces, for large trees: what was cut off is looked for before the tree is made. */
export function* completingTree(shown: Cell, others: Iterable<Cell>): Generator<void, Cell> {
  const known = new KnownCells(others)
  yield* known.lookingFor(cutOffFrom(shown))
  return fill(shown, known)
}

function cutOffFrom(shown: Cell): Set<BinaryHash> {
  const cells = new Set([shown])
  const hashes = new Set<BinaryHash>()
  // The set grows while it is walked.
  for (const cell of cells) {
    if (cell.kind === CellKind.pruned) hashes.add(cell.hash(0))
    else if (cell.mask !== 0) for (const ref of cell.refs) cells.add(ref)
  }
  return hashes
}

/** The cells of trees by their hashes: roots first, and no further than they are looked for. */
class KnownCells implements Pick<ReadonlyMap<BinaryHash, Cell>, 'get'> {
  readonly #known = new Map<BinaryHash, Cell>()
  readonly #waiting: Generator<Cell>

  constructor(trees: Iterable<Cell>) {
    this.#waiting = this.#cellsOf(trees)
  }

  get(hash: BinaryHash): Cell | undefined {
    for (let found = this.#known.get(hash); ; found = this.#known.get(hash)) {
      if (found !== undefined || this.#waiting.next().done === true) return found
    }
  }

  *lookingFor(hashes: Iterable<BinaryHash>): Generator<void, void> {
    for (const hash of hashes)
      while (!this.#known.has(hash) && this.#waiting.next().done !== true) if (this.#known.size % PIECE === 0) yield
  }

  *#cellsOf(trees: Iterable<Cell>): Generator<Cell> {
    const added: Cell[] = []
    const add = (cell: Cell): Cell => {
      if (!this.#known.has(cell.hash(0))) {
        this.#known.set(cell.hash(0), cell)
        added.push(cell)
      }
      return cell
    }
    for (const tree of trees) yield add(tree)
    // The list grows while it is walked.
    for (const { refs } of added) for (const ref of refs) yield add(ref)
  }
}

const itself = (cell: Cell): Cell => cell

function shownCells(before: Cell, from: Cell): Map<BinaryHash, Cell> {
  const known = new Map<BinaryHash, Cell>()
  const seen = new ByDepth<true>(itself)
  const walk = (original: Cell, shown: Cell, merkleDepth: number): void => {
    if (seen.get(shown, merkleDepth)) return
    seen.set(shown, merkleDepth, true)
    known.set(original.hash(merkleDepth), original)
    if (shown.kind === CellKind.pruned) return
    const below = depthBelow(shown, merkleDepth)
    shown.refs.forEach((ref, i) => {
      const same = original.refs[i]
      if (same === undefined) throw new MerkleError('shape', 'the old half of the update has another shape')
      walk(same, ref, below)
    })
  }
  walk(before, from, 0)
  return known
}

function fill(to: Cell, known: Pick<ReadonlyMap<BinaryHash, Cell>, 'get'>): Cell {
  const done = new ByDepth<Cell>(itself)
  const go = (cell: Cell, merkleDepth: number): Cell => {
    const ready = done.get(cell, merkleDepth)
    if (ready !== undefined) return ready
    return done.set(cell, merkleDepth, make(cell, merkleDepth))
  }
  const make = (cell: Cell, merkleDepth: number): Cell => {
    if (isBoundary(cell, merkleDepth)) {
      const original = known.get(cell.hash(merkleDepth))
      if (original === undefined)
        throw new MerkleError('unknownCell', `${cell.hashHex(merkleDepth)} is not in the old half of the update`)
      return original
    }
    const below = depthBelow(cell, merkleDepth)
    const refs = cell.refs.map((ref) => go(ref, below))
    const offset = placeInSlab(cell.bytes, cell.offset, (cell.bits + 7) >> 3)
    return refs.some((ref, i) => ref.mask !== cell.refs[i]?.mask)
      ? makeCell(currentSlab(), offset, cell.bits, refs, cell.isExotic)
      : cell.moved(currentSlab(), offset, refs)
  }
  return go(to, 0)
}
