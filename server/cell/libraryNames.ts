// References to libraries: a cell of this kind stands for a public library, which it names by its hash.

import type { Cell } from './cell.ts'
import { CellKind } from './exotic.ts'
import { type BinaryHash, hashFromBytes } from './hash.ts'
import { openAny } from './slice.ts'

/** Hash of the library that a cell of this kind is a reference to. */
export const libraryNameOf = (reference: Cell): BinaryHash => hashFromBytes(openAny(reference).skip(8).loadBytes(32))

/** The libraries that a tree refers to, in up to so many of its cells from the root on; some of them more than once. */
export function* libraryNamesIn(root: Cell, mostCells: number): Generator<BinaryHash> {
  const cells = new Set([root])
  // The set grows while it is walked.
  for (const cell of cells) {
    if (cell.kind === CellKind.library) yield libraryNameOf(cell)
    for (const ref of cell.refs) if (cells.size < mostCells) cells.add(ref)
  }
}
