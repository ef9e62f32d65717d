// The order in which the node puts cells into a bag, and the choice of those that carry their hashes. Clients accept any
// order; this one gives a block the very bytes, hence the file hash, that the node gives it.

import type { Cell } from '../cell.ts'
import { FoundCells } from './found.ts'

/** A subtree heavier than this is split by cells that carry hashes. */
const MOST_WEIGHT = 64

// States of a cell while positions are given out; from 0 on it is the position.
const UNSEEN = -1
const PREVISITED = -2
const VISITED = -3

export interface OrderedCells {
  /** Distinct cells by number, and of each what `FoundCells` says. */
  readonly cells: readonly Cell[]
  readonly refs: Int32Array
  readonly shared: Uint8Array
  /** 0 for a cell that carries its hashes. */
  readonly weight: Uint8Array
  /** Number of the cell at each position of the file. */
  readonly numbers: Int32Array
  /** Position of each cell. */
  readonly positions: Int32Array
  readonly roots: readonly number[]
}

const FIRST = new Int32Array(1)
const NO_REFS = new Int32Array(4)
const LIGHT = new Uint8Array([1])
const NO_MARK = new Uint8Array(1)

/** A text, a short stack, an empty body: most bags are of one cell, and there is nothing to order. */
const isAlone = (roots: readonly Cell[]): boolean =>
  roots.length === 1 && roots[0]?.refs.length === 0 && !roots[0].isVirtual

/** Distinct cells below the roots in the node's order. Throws CellError `virtual` for a tree seen through a proof. */
export function orderCells(roots: readonly Cell[]): OrderedCells {
  if (isAlone(roots))
    return { cells: roots, refs: NO_REFS, shared: NO_MARK, weight: LIGHT, numbers: FIRST, positions: FIRST, roots: [0] }
  const found = new FoundCells()
  const rootNumbers = roots.map((root) => found.add(root))
  const { cells, refs, weight, shared } = found
  limitWeights(cells, refs, weight)
  const positions = givePositions(cells, refs, weight, rootNumbers)
  const count = cells.length
  const numbers = new Int32Array(count)
  for (let number = 0; number < count; number++) {
    // They were counted from the end of the file.
    const at = count - 1 - (positions[number] ?? 0)
    positions[number] = at
    numbers[at] = number
  }
  const rootPositions = rootNumbers.map((number) => positions[number] ?? 0)
  return { cells, refs, shared, weight, numbers, positions, roots: rootPositions }
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
