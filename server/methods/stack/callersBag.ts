// Bags of cells that callers send. There is room for tens of thousands of cells in one, and to read and hash them takes 1 ms per
// thousand: large ones are read in slices.

import { type Cell, readBoc, readingBoc } from '../../cell/index.ts'
import { inPieces, type Slicing } from '../../fairness/index.ts'

/** Bytes of a bag that is read at once: five hundred cells of the smallest kind to a thousand. */
const SMALL = 4096

/** Rejects with BocError as `readBoc` throws it. */
export const readCallersBag = async (
  boc: Uint8Array,
  limits: Parameters<typeof readBoc>[1],
  caller: Slicing,
): Promise<Cell> => (boc.length <= SMALL ? readBoc(boc, limits) : await inPieces(readingBoc(boc, limits), caller))
