import { type Cell, isLargeTree, MAX_DEPTH, readingBoc, writeBocText, writingBoc } from '../../cell/index.ts'
import { inPieces, type Slicing } from '../../fairness/index.ts'

const texts = new WeakMap<Cell, string>()

/** Base64 of a bag of cells, the form in which code and data travel to the threads. Made once for each tree. */
export function bocText(cell: Cell): string {
  const text = texts.get(cell) ?? writeBocText(cell)
  texts.set(cell, text)
  return text
}

const writing = new WeakMap<Cell, Promise<string>>()

/** The same in slices for a large tree: data of 20,000 cells takes 15 ms. */
export async function largeBocText(cell: Cell, slicing: Slicing): Promise<string> {
  const known = texts.get(cell)
  if (known !== undefined || !isLargeTree(cell)) return known ?? bocText(cell)
  const begun =
    writing.get(cell) ??
    inPieces(writingBoc(cell), slicing).then((bytes) => {
      const text = bytes.toString('base64')
      texts.set(cell, text)
      writing.delete(cell)
      return text
    })
  writing.set(cell, begun)
  return begun
}

/** A bag that came from the threads. */
export const readBocText = (text: string, slicing: Slicing): Promise<Cell> =>
  inPieces(readingBoc(Buffer.from(text, 'base64'), { maxDepth: MAX_DEPTH }), slicing)
