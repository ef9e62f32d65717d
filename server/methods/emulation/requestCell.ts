import { ApiError } from '../../../shared/errors.ts'
import { type Cell, CellError } from '../../cell/index.ts'
import type { Slicing } from '../../fairness/index.ts'
import { readCallersBag } from '../stack/callersBag.ts'

/** The cell in a bag of a request. Rejects with ApiError `invalidParams` in these words, followed by what is wrong. */
export async function requestCell(boc: Uint8Array, words: string, slicing: Slicing): Promise<Cell> {
  try {
    return await readCallersBag(boc, {}, slicing)
  } catch (cause) {
    if (!(cause instanceof CellError)) throw cause
    throw new ApiError('invalidParams', `${words}: ${cause.message}`, {}, { cause })
  }
}
