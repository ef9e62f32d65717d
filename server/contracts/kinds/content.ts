import { type Cell, CellError, openCell } from '../../cell/index.ts'
import { inPieces } from '../../fairness/index.ts'
import { loadingTokenContent, type TokenContent } from '../../tlb/index.ts'

/** Null for a cell that holds no content. In slices: a contract may hold megabytes. */
export async function contentOf(cell: Cell | undefined): Promise<TokenContent | null> {
  if (cell === undefined) return null
  try {
    return await inPieces(loadingTokenContent(openCell(cell)))
  } catch (error) {
    if (error instanceof CellError) return null
    throw error
  }
}
