// How large trees of cells are: their memory, for caches that are bounded in bytes, and whether they are worked on in pieces.

import type { Cell } from './cell.ts'
import { inOnePiece } from './inOnePiece.ts'

/** Memory of a cell with its hash, beyond its data. */
const CELL_BYTES = 192

/** Cells that are counted in one piece. */
const AT_ONCE = 1000

/** `footprintOf` in pieces: 65,000 cells, as many as an account may have, take 10 to 30 ms. */
export function* measuringFootprint(roots: readonly Cell[], most = Number.POSITIVE_INFINITY): Generator<void, number> {
  const seen = new Set(roots)
  let bytes = 0
  let cells = 0
  // The set grows while it is walked.
  for (const { bits, refs } of seen) {
    bytes += CELL_BYTES + (bits >> 3)
    if (bytes > most) break
    for (const ref of refs) seen.add(ref)
    if (++cells % AT_ONCE === 0) yield
  }
  return bytes
}

/** Estimated memory of trees; shared cells count once. Beyond `most` it stops counting: that much is known to be too much. */
export const footprintOf = (roots: readonly Cell[], most?: number): number =>
  inOnePiece(measuringFootprint(roots, most))

/** Cells of a tree that is read or written at once: half a millisecond. */
const FEW = 1000

/** True for more cells than a few, each counted as often as it is met. */
export function isLargeTree(...roots: readonly Cell[]): boolean {
  let left = FEW
  const fits = (cell: Cell): boolean => --left >= 0 && cell.refs.every(fits)
  return !roots.every(fits)
}
