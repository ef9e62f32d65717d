import type { Cell } from '../../../cell/index.ts'

/** Of a cell, besides its data: about as much as in a bag. */
const CELL_BYTES = 3

/**
 * Bytes of a body as a tree, in which a cell counts once for each reference to it; counted no further than some more than `most`. Its
 * decoded form repeats a cell as often: a bag of 600 bytes can take ten milliseconds to decode.
 */
export const treeBytes = (cell: Cell, most: number): number => most - leftOf(cell, most)

function leftOf({ bits, refs }: Cell, most: number): number {
  let left = most - CELL_BYTES - ((bits + 7) >> 3)
  for (const ref of refs) {
    if (left < 0) break
    left = leftOf(ref, left)
  }
  return left
}
