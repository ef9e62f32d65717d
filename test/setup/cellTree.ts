// A tree of cells as large as a test wants it, with no two leaves alike: nothing in it is stored once for several places.

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
