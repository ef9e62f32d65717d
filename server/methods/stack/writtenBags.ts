// Bags of large cells, which are written in slices before a text is made that has them: half a millisecond a thousand cells.

import { type Cell, isLargeTree, writeBoc, writingBoc } from '../../cell/index.ts'
import { inPieces, SlicedWork, type Slicing } from '../../fairness/index.ts'

/** Bags of cells that are written already, by their roots. */
export type WrittenBags = ReadonlyMap<Cell, Uint8Array>

export const NO_BAGS: WrittenBags = new Map()

/** Those of the large ones, until they are `most` bytes together; the others are written when they are needed. */
export async function largeBagsOf(
  roots: Iterable<Cell | null>,
  slicing: Slicing,
  most = Number.POSITIVE_INFINITY,
): Promise<WrittenBags> {
  const slices = new SlicedWork(slicing)
  const bags = new Map<Cell, Uint8Array>()
  let bytes = 0
  for (const root of new Set(roots)) {
    if (root === null || !isLargeTree(root)) continue
    const bag = await inPieces(writingBoc(root), slices)
    bags.set(root, bag)
    bytes += bag.length
    if (bytes > most) break
  }
  return bags
}

/** One of them, or written now. Throws CellError as `writeBoc` does. */
export const writtenBag = (root: Cell, bags: WrittenBags): Uint8Array => bags.get(root) ?? writeBoc(root)
