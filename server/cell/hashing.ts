// Hashes of large trees in pieces: a cell takes a microsecond, and a tree of 24,000 new ones in one go 25 ms.

import type { Cell } from './cell.ts'

/** Cells of a piece. */
const PIECE = 512

/** Computes the hash of a tree that is not hashed yet, or only in parts. */
export function* hashing(root: Cell): Generator<void, void> {
  const path = [root]
  let hashed = 0
  for (let cell = path.at(-1); cell !== undefined; cell = path.at(-1)) {
    const { length } = path
    if (!cell.isHashed) for (const ref of cell.refs) if (!ref.isHashed) path.push(ref)
    if (path.length > length) continue
    path.pop()
    cell.hash()
    if (++hashed % PIECE === 0) yield
  }
}
