// The order in which the node puts cells into a bag, and the choice of those that carry their hashes. Clients accept any
// order; this one gives a block the very bytes, hence the file hash, that the node gives it.

import type { Cell } from '../cell.ts'
import { CellError } from '../errors.ts'
import type { Hash } from '../hash.ts'

/** A subtree heavier than this is split by cells that carry hashes. */
const MOST_WEIGHT = 64
const HEAVIEST = 255

// States of a cell while positions are given out; from 0 on it is the position.
const UNSEEN = -1
const PREVISITED = -2
const VISITED = -3

export interface OrderedCells {
  /** In the order of the file. */
  readonly cells: readonly Cell[]
  /** Positions of the references of each cell, four per cell. */
  readonly refs: Int32Array
  readonly roots: readonly number[]
  /** Whether the cell carries its hashes. */
  readonly heavy: Uint8Array
  /** Whether more than one reference leads to the cell. */
  readonly shared: Uint8Array
}

const NO_REFS = new Int32Array(4)
const NO_MARK = new Uint8Array(1)

/** A text, a short stack, an empty body: most bags are of one cell, and there is nothing to order. */
const isAlone = (roots: readonly Cell[]): boolean =>
  roots.length === 1 && roots[0]?.refs.length === 0 && !roots[0].isVirtual

/** Distinct cells below the roots in the node's order. Throws CellError `virtual` for a tree seen through a proof. */
export function orderCells(roots: readonly Cell[]): OrderedCells {
  if (isAlone(roots)) return { cells: roots, refs: NO_REFS, roots: [0], heavy: NO_MARK, shared: NO_MARK }
  const found = new Found()
  const rootIndexes = roots.map((root) => found.add(root))
  const { cells } = found
  const refs = Int32Array.from(found.refs)
  const weight = Uint8Array.from(found.weight)
  limitWeights(cells, refs, weight)
  const state = givePositions(cells, refs, weight, rootIndexes)
  return arrange(found, refs, weight, state, rootIndexes)
}

class Found {
  readonly cells: Cell[] = []
  readonly refs: number[] = []
  readonly weight: number[] = []
  readonly shared: number[] = []
  private readonly byHash = new Map<Hash, number>()

  /** Takes in a tree, children before parents, and returns the number of its root. */
  add(cell: Cell): number {
    const hash = cell.hash()
    const known = this.byHash.get(hash)
    if (known !== undefined) {
      this.shared[known] = 1
      return known
    }
    if (cell.isVirtual) throw new CellError('virtual', 'a tree seen through a proof cannot be serialised')
    const { refs } = cell
    const count = refs.length
    let weight = 1
    const numbers: [number, number, number, number] = [-1, -1, -1, -1]
    for (let i = 0; i < count; i++) {
      const ref = refs[i]
      if (ref === undefined) continue
      const number = this.add(ref)
      numbers[i] = number
      weight += this.weight[number] ?? 0
    }
    const index = this.cells.length
    this.byHash.set(hash, index)
    this.cells.push(cell)
    this.refs.push(numbers[0], numbers[1], numbers[2], numbers[3])
    this.weight.push(Math.min(HEAVIEST, weight))
    this.shared.push(0)
    return index
  }
}

// Top down, each cell divides its allowance among its children; bottom up, a cell whose subtree exceeds what it was
// allowed becomes heavy, shown as weight 0.
function limitWeights(cells: readonly Cell[], refs: Int32Array, weight: Uint8Array): void {
  for (let i = cells.length - 1; i >= 0; i--) shareAllowance(i, cells[i]?.refs.length ?? 0, refs, weight)
  for (let i = 0; i < cells.length; i++) {
    let sum = 1
    for (let k = 4 * i, end = k + (cells[i]?.refs.length ?? 0); k < end; k++) sum += weight[refs[k] ?? 0] ?? 0
    weight[i] = sum <= (weight[i] ?? 0) ? sum : 0
  }
}

function shareAllowance(index: number, count: number, refs: Int32Array, weight: Uint8Array): void {
  let left = MOST_WEIGHT - 1
  let greedy = count
  let modest = 0
  for (let k = 0; k < count; k++) {
    const child = weight[refs[4 * index + k] ?? 0] ?? 0
    if (child > Math.floor((MOST_WEIGHT - 1 + k) / count)) continue
    left -= child
    greedy--
    modest |= 1 << k
  }
  if (greedy === 0) return
  for (let k = 0; k < count; k++) {
    if ((modest >> k) & 1) continue
    const child = refs[4 * index + k] ?? 0
    const limit = Math.floor(left++ / greedy)
    if ((weight[child] ?? 0) > limit) weight[child] = limit
  }
}

// Heavy cells are visited first, so that what hangs below them ends up together; positions count from the end of the file.
function givePositions(
  cells: readonly Cell[],
  refs: Int32Array,
  weight: Uint8Array,
  roots: readonly number[],
): Int32Array {
  const state = new Int32Array(cells.length).fill(UNSEEN)
  let next = 0
  const childrenOf = (index: number): number => cells[index]?.refs.length ?? 0
  const previsit = (index: number): void => {
    if (state[index] !== UNSEEN) return
    for (let k = childrenOf(index) - 1; k >= 0; k--) {
      const child = refs[4 * index + k] ?? 0
      if (weight[child] === 0) visit(child)
      else previsit(child)
    }
    state[index] = PREVISITED
  }
  const visit = (index: number): void => {
    const reached = state[index] ?? 0
    if (reached >= 0 || reached === VISITED) return
    if (weight[index] === 0) previsit(index)
    for (let k = childrenOf(index) - 1; k >= 0; k--) visit(refs[4 * index + k] ?? 0)
    for (let k = childrenOf(index) - 1; k >= 0; k--) place(refs[4 * index + k] ?? 0)
    state[index] = VISITED
  }
  const place = (index: number): void => {
    if ((state[index] ?? 0) < 0) state[index] = next++
  }
  for (const root of roots) {
    previsit(root)
    visit(root)
  }
  for (const root of roots) place(root)
  return state
}

function arrange(
  found: Found,
  refs: Int32Array,
  weight: Uint8Array,
  state: Int32Array,
  roots: readonly number[],
): OrderedCells {
  const count = found.cells.length
  const position = (index: number): number => count - 1 - (state[index] ?? 0)
  const cells = new Array<Cell>(count)
  const placed = new Int32Array(4 * count)
  const heavy = new Uint8Array(count)
  const shared = new Uint8Array(count)
  found.cells.forEach((cell, index) => {
    const at = position(index)
    cells[at] = cell
    heavy[at] = weight[index] === 0 ? 1 : 0
    shared[at] = found.shared[index] ?? 0
    for (let k = 0; k < cell.refs.length; k++) placed[4 * at + k] = position(refs[4 * index + k] ?? 0)
  })
  return { cells, refs: placed, roots: roots.map(position), heavy, shared }
}
