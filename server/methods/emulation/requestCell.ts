import { ApiError } from '../../../shared/errors.ts'
import { type Cell, CellError, readBoc } from '../../cell/index.ts'

/** The cell in a bag of a request. Throws ApiError `invalidParams` in these words, followed by what is wrong. */
export function requestCell(boc: Uint8Array, words: string): Cell {
  try {
    return readBoc(boc)
  } catch (cause) {
    if (!(cause instanceof CellError)) throw cause
    throw new ApiError('invalidParams', `${words}: ${cause.message}`, {}, { cause })
  }
}
