// Trees of cells as large as a test wants them, with no two leaves alike: nothing in one is stored once for several places.

import { beginCell, type Cell } from '../../server/cell/index.ts'

/** Trees of different seeds share no leaf. */
export function treeOf(leaves: number, seed = 0): Cell {
  let level = Array.from({ length: leaves }, (_, i) => beginCell().storeUint(seed, 32).storeUint(i, 32).end())
  while (level.length > 1)
    level = Array.from({ length: Math.ceil(level.length / 4) }, (_, i) =>
      level
        .slice(4 * i, 4 * i + 4)
        .reduce((builder, cell) => builder.storeRef(cell), beginCell())
        .end(),
    )
  return level[0] ?? beginCell().end()
}

/** All cells of a tree, each once. */
export function cellsOf(root: Cell): Cell[] {
  const all = new Set([root])
  // The set grows while it is walked.
  for (const { refs } of all) for (const ref of refs) all.add(ref)
  return [...all]
}
