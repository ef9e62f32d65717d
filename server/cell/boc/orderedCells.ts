// The order in which the node puts cells into a bag, and the choice of those that carry their hashes. Clients accept any
// order; this one gives a block the very bytes, hence the file hash, that the node gives it.

import { Cell } from '../cell.ts'
import { makeProof } from '../merkle/proof.ts'
import { FoundCells } from './found.ts'
import { FoundWithPlan, type PlannedProof } from './plannedProof.ts'

/** A tree of its own, or a proof whose cells are not made. */
export type BagRoot = Cell | PlannedProof

/** A subtree heavier than this is split by cells that carry hashes. */
const MOST_WEIGHT = 64

// States of a cell while positions are given out; from 0 on it is the position.
const UNSEEN = -1
const PREVISITED = -2
const VISITED = -3

export interface OrderedCells {
  /** Distinct cells by number, and of each what `FoundCells` says. */
  readonly cells: readonly Cell[]
  readonly forms: Uint8Array
  readonly counts: Uint8Array
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

const FIRST = new Int32Array(4)
const ONE = new Uint8Array([1])
const NONE = new Uint8Array(1)
const AT_FIRST = {
  forms: NONE,
  counts: NONE,
  refs: FIRST,
  shared: NONE,
  weight: ONE,
  numbers: FIRST,
  positions: FIRST,
  roots: [0],
}

/** A text, a short stack, an empty body: most bags are of one cell, and there is nothing to order. */
const isAlone = (root: BagRoot): root is Cell => root instanceof Cell && root.refs.length === 0 && !root.isVirtual

const isCell = (root: BagRoot): root is Cell => root instanceof Cell

const madeOf = (root: BagRoot): Cell => (isCell(root) ? root : makeProof(root.root, root.usage))

let spare: FoundWithPlan | null = null

/**
 * Hands over the distinct cells below the roots in the node's order; what is handed over is used again afterwards. Throws
 * CellError `virtual` for a tree seen through a proof.
 */
export function withOrder<T>(roots: readonly BagRoot[], work: (order: OrderedCells) => T): T {
  const [first] = roots
  if (roots.length === 1 && first !== undefined && isAlone(first)) return work({ cells: [first], ...AT_FIRST })
  const found = spare ?? new FoundWithPlan()
  spare = null
  try {
    const rootNumbers = rootsIn(found, roots)
    if (rootNumbers === null) return withOrder(roots.map(madeOf), work)
    limitWeights(found)
    givePositions(found, rootNumbers)
    const { cells, forms, counts, refs, weight, shared, positions, numbers } = found
    const rootPositions = rootNumbers.map((number) => positions[number] ?? 0)
    return work({ cells, forms, counts, refs, shared, weight, numbers, positions, roots: rootPositions })
  } finally {
    if (found.clear()) spare = found
  }
}

/** Null when the cells of a planned proof have to be made: it is taken in only after all other roots. */
function rootsIn(found: FoundWithPlan, roots: readonly BagRoot[]): number[] | null {
  const cells = roots.filter(isCell)
  found.expect(cells, cells.length < roots.length)
  const numbers: number[] = []
  for (const [i, root] of roots.entries()) {
    const number = isCell(root) ? found.add(root) : i === roots.length - 1 ? found.addPlanned(root) : -1
    if (number < 0) return null
    numbers.push(number)
  }
  return numbers
}

/** The same in pieces, for large bags. */
export function* orderingCells(roots: readonly Cell[]): Generator<void, OrderedCells> {
  const found = new FoundCells()
  const rootNumbers: number[] = []
  for (const root of roots) rootNumbers.push(yield* found.adding(root))
  limitWeights(found)
  yield
  givePositions(found, rootNumbers)
  const { cells, forms, counts, refs, weight, shared, positions, numbers } = found
  const rootPositions = rootNumbers.map((number) => positions[number] ?? 0)
  return { cells, forms, counts, refs, shared, weight, numbers, positions, roots: rootPositions }
}

// Top down, each cell divides its allowance among its children; bottom up, a cell whose subtree exceeds what it was
// allowed becomes heavy, shown as weight 0.
function limitWeights({ cells, counts, refs, weight }: FoundCells): void {
  const { length } = cells
  for (let i = length - 1; i >= 0; i--) shareAllowance(i, counts[i] ?? 0, refs, weight)
  for (let i = 0; i < length; i++) {
    let sum = 1
    for (let k = 4 * i, end = k + (counts[i] ?? 0); k < end; k++) sum += weight[refs[k] ?? 0] ?? 0
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

// Heavy cells are visited first, so that what hangs below them ends up together; positions are given out from the end of
// the file. No closures: most bags are of a few cells, and would cost more in functions than in positions.
function givePositions(found: FoundCells, roots: readonly number[]): void {
  const { cells, positions, numbers } = found
  positions.fill(UNSEEN, 0, cells.length)
  let next = 0
  for (const root of roots) {
    next = previsit(found, root, next)
    next = visit(found, root, next)
  }
  for (const root of roots) next = place(positions, root, next)
  for (let number = 0; number < next; number++) {
    const at = next - 1 - (positions[number] ?? 0)
    positions[number] = at
    numbers[at] = number
  }
}

// Each takes the next position and returns the one after those it gave out.

function previsit(found: FoundCells, index: number, first: number): number {
  const { counts, refs, weight, positions } = found
  if (positions[index] !== UNSEEN) return first
  let next = first
  for (let k = 4 * index + (counts[index] ?? 0) - 1; k >= 4 * index; k--) {
    const child = refs[k] ?? 0
    next = weight[child] === 0 ? visit(found, child, next) : previsit(found, child, next)
  }
  positions[index] = PREVISITED
  return next
}

function visit(found: FoundCells, index: number, first: number): number {
  const { counts, refs, weight, positions } = found
  const reached = positions[index] ?? 0
  if (reached >= 0 || reached === VISITED) return first
  let next = weight[index] === 0 ? previsit(found, index, first) : first
  const count = counts[index] ?? 0
  for (let k = 4 * index + count - 1; k >= 4 * index; k--) next = visit(found, refs[k] ?? 0, next)
  for (let k = 4 * index + count - 1; k >= 4 * index; k--) next = place(positions, refs[k] ?? 0, next)
  positions[index] = VISITED
  return next
}

function place(positions: Int32Array, index: number, next: number): number {
  if ((positions[index] ?? 0) >= 0) return next
  positions[index] = next
  return next + 1
}
