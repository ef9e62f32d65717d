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

/** Hashes are looked at only where the masks leave it open: those of a tree that was cut are not known yet. */
const isSame = (made: Cell, old: Cell | undefined): boolean =>
  made === old || (old !== undefined && made.mask === old.mask && made.equals(old))

type Cut = (cell: Cell, merkleDepth: number) => Cell | null

/** A copy of a tree with `cut` applied from the root down: what it returns other than null replaces the subtree. */
export function rebuild(root: Cell, cut: Cut): Cell {
  const copy = new Copy(cut)
  const go = (cell: Cell, merkleDepth: number): Cell => {
    const known = copy.known(cell, merkleDepth)
    if (known !== null) return known
    const below = depthBelow(cell, merkleDepth)
    const refs = cell.refs.slice()
    for (let i = 0; i < refs.length; i++) refs[i] = go(cell.refs[i] ?? cell, below)
    return copy.over(cell, merkleDepth, refs)
  }
  return go(root, 0)
}

/** Steps of a piece. */
const PIECE = 512

interface Open {
  readonly cell: Cell
  readonly merkleDepth: number
  /** Those that are copied already. */
  readonly refs: Cell[]
}

/** The same in pieces. */
export function* rebuilding(root: Cell, cut: Cut): Generator<void, Cell> {
  const copy = new Copy(cut)
  const path: Open[] = []
  let steps = 0
  for (let [cell, merkleDepth] = [root, 0]; ; ) {
    let made = copy.known(cell, merkleDepth)
    if (made === null) path.push({ cell, merkleDepth, refs: [] })
    if (++steps % PIECE === 0) yield
    for (let open = path.at(-1); ; open = path.at(-1)) {
      if (open === undefined) {
        if (made === null) throw new Error('A tree without a root')
        return made
      }
      if (made !== null) open.refs.push(made)
      const next = open.cell.refs[open.refs.length]
      if (next !== undefined) {
        cell = next
        merkleDepth = depthBelow(open.cell, open.merkleDepth)
        break
      }
      made = copy.over(open.cell, open.merkleDepth, open.refs)
      path.pop()
    }
  }
}

class Copy {
  readonly #cut: Cut
  readonly #done = new ByDepth<Cell>()

  constructor(cut: Cut) {
    this.#cut = cut
  }

  /** What stands for a cell without a look at those below it; null when these are to be copied first. */
  known(cell: Cell, merkleDepth: number): Cell | null {
    // Nothing can be cut from a leaf, and a pruned branch of it would be no smaller.
    if (cell.refs.length === 0) return cell
    const before = this.#done.get(cell, merkleDepth)
    if (before !== undefined) return before
    const replaced = this.#cut(cell, merkleDepth)
    return replaced === null ? null : this.#done.set(cell, merkleDepth, replaced)
  }

  /** The cell over copies of those it refers to. */
  over(cell: Cell, merkleDepth: number, refs: readonly Cell[]): Cell {
    const same = refs.every((made, i) => isSame(made, cell.refs[i]))
    return this.#done.set(cell, merkleDepth, same ? cell : cell.recut(refs))
  }
}
