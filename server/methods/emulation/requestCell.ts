import { ApiError } from '../../../shared/errors.ts'
import { type Cell, CellError, readingBoc } from '../../cell/index.ts'
import { inPieces, type Slicing } from '../../fairness/index.ts'

/** The cell in a bag of a request. Rejects with ApiError `invalidParams` in these words, followed by what is wrong. */
export async function requestCell(boc: Uint8Array, words: string, slicing: Slicing): Promise<Cell> {
  try {
    return await inPieces(readingBoc(boc), slicing)
  } catch (cause) {
    if (!(cause instanceof CellError)) throw cause
    throw new ApiError('invalidParams', `${words}: ${cause.message}`, {}, { cause })
  }
}
