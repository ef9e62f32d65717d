import { type Cell, isLargeTree, NO_CRC, writeBoc, writingBoc } from '../../cell/index.ts'
import { inPieces, type SlicedWork, type Slicing } from '../../fairness/index.ts'

/** In slices: an order, or the data of an account, may have tens of thousands of cells. */
export const plainBoc = async (cell: Cell, slicing?: Slicing | SlicedWork): Promise<Uint8Array> =>
  isLargeTree(cell) ? await inPieces(writingBoc(cell, NO_CRC), slicing) : writeBoc(cell, NO_CRC)
