import { type Cell, MAX_DEPTH, readBoc, readingBoc } from '../../cell/index.ts'
import { inPieces } from '../../fairness/index.ts'

/** Read at once, in less than a millisecond. */
const SHORT_BYTES = 4096
const LIMITS = { maxDepth: MAX_DEPTH }

/** Code or data of a contract; a large one is read in slices, as strangers deploy tens of thousands of cells. */
export const readRowCells = (boc: Uint8Array): Cell | Promise<Cell> =>
  boc.length <= SHORT_BYTES ? readBoc(boc, LIMITS) : inPieces(readingBoc(boc, LIMITS))
