import { type Cell, openCell, orNull } from '../../cell/index.ts'
import { loadTokenContent, type TokenContent } from '../../tlb/index.ts'

/** Null for a cell that holds no content. */
export const contentOf = (cell: Cell | undefined): TokenContent | null =>
  cell === undefined ? null : orNull(() => loadTokenContent(openCell(cell)))
