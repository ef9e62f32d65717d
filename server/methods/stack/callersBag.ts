// Bags of cells that callers send, or that accounts hold. There is room for tens of thousands of cells in one. To read and hash them
// takes 1 ms per thousand, to write them half of that: large ones are read and written in slices.

import { type Cell, isLargeTree, readBoc, readingBoc, writeBoc, writingBoc } from '../../cell/index.ts'
import { inPieces, SlicedWork, type Slicing } from '../../fairness/index.ts'

/** Bytes of a bag that is read at once: five hundred cells of the smallest kind to a thousand. */
const SMALL = 4096

/** Rejects with BocError as `readBoc` throws it. */
export const readCallersBag = async (
  boc: Uint8Array,
  limits: Parameters<typeof readBoc>[1],
  slicing: Slicing | SlicedWork,
): Promise<Cell> => (boc.length <= SMALL ? readBoc(boc, limits) : await inPieces(readingBoc(boc, limits), slicing))

/** The bag of a cell, that of a large one written in slices. The mode is that of `writeBoc`. */
export const bagInSlices = async (root: Cell, slicing: Slicing | SlicedWork, mode?: number): Promise<Uint8Array> =>
  isLargeTree(root) ? await inPieces(writingBoc(root, mode), slicing) : writeBoc(root, mode)

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
