// Libraries that a tree of cells refers to.

import { type BinaryHash, type Cell, CellKind, hashFromBytes, openAny } from '../../cell/index.ts'

/** Cells of a tree that are looked at: references to libraries stand for code, near the top of what contracts keep. */
const MOST_CELLS = 2_000
const MOST_NAMES = 64

/** The hashes of libraries below a cell, each once. */
export function libraryNamesIn(root: Cell): readonly BinaryHash[] {
  const names = new Set<BinaryHash>()
  const seen = new Set<Cell>([root])
  let looked = 0
  for (const cell of seen) {
    if (++looked > MOST_CELLS || names.size === MOST_NAMES) break
    if (cell.kind === CellKind.library) names.add(hashFromBytes(openAny(cell).skip(8).loadBytes(32)))
    for (const ref of cell.refs) seen.add(ref)
  }
  return [...names]
}
