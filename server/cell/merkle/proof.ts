// Merkle proofs: a tree with everything cut off that is not needed, under a cell that states the hash of the whole.

import { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { MerkleError } from '../cellErrors.ts'
import type { CellUsage } from '../cellUsage.ts'
import { CellKind, childLevel } from '../exotic.ts'
import { type BinaryHash, hashToHex } from '../hash.ts'
import { ByDepth, prune, rebuild } from './pruneTree.ts'

/**
 * A proof of `root` that keeps what a recorded piece of work has opened, or the cells a predicate accepts. Throws
 * MerkleError `level` for a root that is itself pruned or seen through a proof.
 */
export function makeProof(root: Cell, keep: CellUsage | ((cell: Cell) => boolean)): Cell {
  return wrapProof(pruneTree(root, keep))
}

/** The cut tree alone, as proofs of several kinds carry it. */
export function pruneTree(root: Cell, keep: CellUsage | ((cell: Cell) => boolean)): Cell {
  if (root.mask !== 0 || root.isVirtual) throw new MerkleError('level', 'a proof needs a complete tree')
  const wanted = typeof keep === 'function' ? keep : visitedHashes(keep)
  return rebuild(root, (cell, merkleDepth) => (wanted(cell) ? null : prune(cell, merkleDepth)))
}

// A cell that was opened in one place is kept in all: it is in the bag anyway, a pruned copy would only add to it.
function visitedHashes(usage: CellUsage): (cell: Cell) => boolean {
  const hashes = new Set<BinaryHash>()
  for (const cell of usage.visited) hashes.add(cell.hash())
  return (cell) => hashes.has(cell.hash())
}

/** The Merkle proof cell over a cut tree. */
export function wrapProof(tree: Cell): Cell {
  return new Builder()
    .storeUint(CellKind.merkleProof, 8)
    .storeHash(tree.hash(0))
    .storeUint(tree.depth(0), 16)
    .storeRef(tree)
    .end(true)
}

/**
 * The tree a proof shows, as a virtual tree: it has the hashes of the original, and reading a part that was cut off throws
 * CellError `pruned`. Throws MerkleError `notProof` or, when it is not about `expected`, `rootHash`.
 */
export function loadProof(proof: Cell, expected?: BinaryHash): Cell {
  const [tree] = proof.refs
  if (proof.kind !== CellKind.merkleProof || tree === undefined) throw new MerkleError('notProof', 'not a Merkle proof')
  if (proof.mask !== 0) throw new MerkleError('level', 'the proof is itself pruned')
  if (expected !== undefined && tree.hash(0) !== expected)
    throw new MerkleError('rootHash', `the proof is about ${tree.hashHex(0)}, not ${hashToHex(expected)}`)
  return virtualize(tree)
}

/** A tree as seen from a lower level, by default from level 0: hashes and depths of the original, nothing else changed. */
export function virtualize(root: Cell, level = 0): Cell {
  return new Lowering().lower(root, level)
}

/** More are found by a map, which takes longer to make than all else for the twenty of a proof of an account. */
const FEW = 48

/** By identity: a bag of cells has each cell once, and their hashes at the highest level are of no other use. */
class Lowering {
  readonly #cells: Cell[] = []
  readonly #levels: number[] = []
  readonly #lowered: Cell[] = []
  #many: ByDepth<Cell> | null = null

  lower(cell: Cell, at: number): Cell {
    if (cell.level <= at) return cell
    // Leaves are not looked up: there are at most four for each cell that is.
    if (cell.refs.length === 0) return cell.lowered(at, cell.refs)
    const before = this.#find(cell, at)
    if (before !== undefined) return before
    const below = childLevel(cell.kind, at)
    const refs = cell.refs.slice()
    for (let i = 0; i < refs.length; i++) refs[i] = this.lower(cell.refs[i] ?? cell, below)
    const lowered = cell.lowered(at, refs)
    this.#add(cell, at, lowered)
    return lowered
  }

  #find(cell: Cell, at: number): Cell | undefined {
    if (this.#many !== null) return this.#many.get(cell, at)
    for (let i = this.#cells.indexOf(cell); i >= 0; i = this.#cells.indexOf(cell, i + 1))
      if (this.#levels[i] === at) return this.#lowered[i]
    return undefined
  }

  #add(cell: Cell, at: number, lowered: Cell): void {
    if (this.#many !== null) {
      this.#many.set(cell, at, lowered)
      return
    }
    this.#cells.push(cell)
    this.#levels.push(at)
    this.#lowered.push(lowered)
    if (this.#cells.length <= FEW) return
    this.#many = new ByDepth<Cell>((one) => one)
    for (const [i, one] of this.#cells.entries()) this.#many.set(one, this.#levels[i] ?? 0, this.#lowered[i] ?? one)
  }
}
