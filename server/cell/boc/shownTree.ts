// The tree that a proof shows, made from the bag of the proof as it is seen from below: `readBoc` and `loadProof` together make each
// cell twice, with hashes and depths of two levels, of which the upper is of no use.

import { byteAt } from '../bits.ts'
import { type Cell, MAX_DEPTH, makeCell, prunedBelow } from '../cell.ts'
import { CellKind } from '../exotic.ts'
import { type BocLimits, readNumber } from './bocHeader.ts'
import { cellBits, type OpenBag, openBag } from './readBoc.ts'

const REFS = 7
const EXOTIC = 8
const LEVEL_SHIFT = 5
/** Both descriptors of a Merkle proof, and of a branch that is pruned at the first level: its data has kind, mask, hash and depth. */
const PROOF = [EXOTIC | 1, 70] as const
const PRUNED = [EXOTIC | (1 << LEVEL_SHIFT), 72] as const
const HASH = 32
const DEPTH = 2

const hasForm = (data: Buffer, start: number, [first, second]: readonly [number, number]): boolean =>
  byteAt(data, start) === first && byteAt(data, start + 1) === second

/** Where a reference leads to; 0 for one that may not be, as nothing may lead to the first cell. */
function targetOf({ data, header }: OpenBag, index: number, at: number): number {
  const to = readNumber(data, at, header.refSize)
  return to > index && to < header.cells ? to : 0
}

/** Null for an exotic cell of another form, and for what `readBoc` refuses. */
function shownCell(bag: OpenBag, index: number, masks: Uint8Array): Cell | null {
  const { data, starts, header, cells } = bag
  const start = starts[index] ?? 0
  const first = byteAt(data, start)
  if (hasForm(data, start, PRUNED)) {
    if (byteAt(data, start + 2) !== CellKind.pruned || byteAt(data, start + 3) !== 1) return null
    masks[index] = 1
    const pruned = prunedBelow(data, start + 2)
    return pruned.depth() > MAX_DEPTH ? null : pruned
  }
  // Level 2 and above, and a cell that has its hashes with it.
  if ((first & ~REFS & ~(1 << LEVEL_SHIFT)) !== 0) return null
  const bits = cellBits(data, start, index)
  const refs: Cell[] = []
  let mask = 0
  for (let left = first & REFS, at = start + 2 + ((bits + 7) >> 3); left > 0; left--, at += header.refSize) {
    const to = targetOf(bag, index, at)
    const ref = cells[to]
    if (ref === undefined) return null
    mask |= masks[to] ?? 0
    refs.push(ref)
  }
  masks[index] = mask
  return first >> LEVEL_SHIFT === mask ? makeCell(data, start + 2, bits, refs, false) : null
}

/**
 * The tree of the one proof in a bag, as `loadProof` has it, checked in the same way. Null for a proof of another tree than `hash` names,
 * which is not gone through, and for a bag of another form: what is wrong with it, if anything, is found by reading it as usual. Throws
 * BocError and CellError.
 */
export function readShownTree(input: Uint8Array, limits: BocLimits, hash: string): Cell | null {
  const bag = openBag(input, limits)
  const { data, starts, header, maxDepth, cells } = bag
  const start = starts[0] ?? 0
  const isProof = header.roots.length === 1 && header.roots[0] === 0 && hasForm(data, start, PROOF)
  if (!isProof || header.hasCacheBits || byteAt(data, start + 2) !== CellKind.merkleProof) return null
  const depthAt = start + 3 + HASH
  if (data.toString('latin1', start + 3, depthAt) !== hash) return null
  const masks = new Uint8Array(header.cells)
  for (let i = header.cells - 1; i > 0; i--) {
    const cell = shownCell(bag, i, masks)
    if (cell === null) return null
    cells[i] = cell
  }
  const tree = cells[targetOf(bag, 0, depthAt + DEPTH)]
  const isNamed = tree?.hash() === hash && tree.depth() === data.readUInt16BE(depthAt)
  return isNamed && tree.depth() < maxDepth ? tree : null
}
