import { type Cell, writeBocText } from '../../cell/index.ts'

const texts = new WeakMap<Cell, string>()

/** Base64 of a bag of cells, the form in which code and data travel to the threads. Made once for each tree. */
export function bocText(cell: Cell): string {
  const text = texts.get(cell) ?? writeBocText(cell)
  texts.set(cell, text)
  return text
}
