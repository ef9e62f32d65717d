// How much memory trees of cells take, for caches that are bounded in bytes.

import type { Cell } from './cell.ts'

/** Memory of a cell with its hash, beyond its data. */
const CELL_BYTES = 192

/** Estimated memory of trees; shared cells count once. Beyond `most` it stops counting: that much is known to be too much. */
export function footprintOf(roots: readonly Cell[], most = Number.POSITIVE_INFINITY): number {
  const seen = new Set(roots)
  let bytes = 0
  // The set grows while it is walked.
  for (const { bits, refs } of seen) {
    bytes += CELL_BYTES + (bits >> 3)
    if (bytes > most) break
    for (const ref of refs) seen.add(ref)
  }
  return bytes
}
