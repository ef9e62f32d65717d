// Pruned branches: cells that replace a subtree that is cut off. It keeps the hashes and depths the subtree had at
// every level below the Merkle cell it is cut for.

import { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { MerkleError } from '../cellErrors.ts'
import { CellKind, isMerkle } from '../exotic.ts'
import type { BinaryHash } from '../hash.ts'
import { isSignificant, MAX_LEVEL } from '../levels.ts'

/**
 * The cell to put in place of `cell` inside `merkleDepth` further Merkle cells (0 directly under the one being made).
 * Cells without references stay as they are, as the node has it: a pruned branch would be no smaller.
 */
export function prune(cell: Cell, merkleDepth: number): Cell {
  if (cell.refs.length === 0) return cell
  const level = merkleDepth + 1
  if (level > MAX_LEVEL) throw new MerkleError('level', `Merkle cells cannot be nested ${level} deep`)
  const { mask } = cell
  const stored: number[] = []
  for (let i = 0; i < level; i++) if (isSignificant(mask, i)) stored.push(i)
  const builder = new Builder().storeUint(CellKind.pruned, 8).storeUint(mask | (1 << merkleDepth), 8)
  for (const i of stored) builder.storeHash(cell.hash(i))
  for (const i of stored) builder.storeUint(cell.depth(i), 16)
  return builder.end(true)
}

/** Merkle depth of the references of a cell at `merkleDepth`. */
export const depthBelow = (cell: Cell, merkleDepth: number): number => merkleDepth + (isMerkle(cell.kind) ? 1 : 0)

/** Whether a cell is a pruned branch that was cut off for the Merkle cell `merkleDepth` levels up. */
export const isBoundary = (cell: Cell, merkleDepth: number): boolean =>
  cell.kind === CellKind.pruned && cell.level === merkleDepth + 1

/**
 * Results per cell and Merkle depth; nearly all trees use depth 0 only. By default cells with the same hash are one. Cells that were
 * read from a bag are there once each: kept by themselves, none of them has to be hashed.
 */
export class ByDepth<T> {
  private readonly maps: Map<Cell | BinaryHash, T>[] = []
  private readonly keyOf: (cell: Cell) => Cell | BinaryHash

  constructor(keyOf: (cell: Cell) => Cell | BinaryHash = (cell) => cell.hash()) {
    this.keyOf = keyOf
  }

  get(cell: Cell, merkleDepth: number): T | undefined {
    return this.maps[merkleDepth]?.get(this.keyOf(cell))
  }

  set(cell: Cell, merkleDepth: number, value: T): T {
    let map = this.maps[merkleDepth]
    if (map === undefined) {
      map = new Map()
      this.maps[merkleDepth] = map
    }
    map.set(this.keyOf(cell), value)
    return value
  }
}

/** A copy of a tree with `cut` applied from the root down: what it returns other than null replaces the subtree. */
export function rebuild(root: Cell, cut: (cell: Cell, merkleDepth: number) => Cell | null): Cell {
  const done = new ByDepth<Cell>()
  const go = (cell: Cell, merkleDepth: number): Cell => {
    // Nothing can be cut from a leaf, and a pruned branch of it would be no smaller.
    if (cell.refs.length === 0) return cell
    const before = done.get(cell, merkleDepth)
    if (before !== undefined) return before
    const replaced = cut(cell, merkleDepth)
    if (replaced !== null) return done.set(cell, merkleDepth, replaced)
    return done.set(cell, merkleDepth, over(cell, depthBelow(cell, merkleDepth)))
  }
  const over = (cell: Cell, below: number): Cell => {
    const refs: Cell[] = cell.refs.slice()
    let same = true
    for (let i = 0; i < refs.length; i++) {
      const ref = refs[i]
      if (ref === undefined) continue
      const made = go(ref, below)
      if (made !== ref && made.hash() !== ref.hash()) same = false
      refs[i] = made
    }
    return same ? cell : cell.recut(refs)
  }
  return go(root, 0)
}
