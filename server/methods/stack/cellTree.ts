// Cells written out as JSON: `{"data": {"b64", "len"}, "refs": [...]}`, or the same as a text.

import { fromBase64 } from '../../../shared/base64.ts'
import { isObject } from '../../../shared/isObject.ts'
import { beginCell, type Cell, CellError, MAX_BITS, MAX_REFS } from '../../cell/index.ts'
import { inPieces, parseInSlices, type SlicedWork } from '../../fairness/index.ts'

/** Deep enough for trees written by hand; JSON depth is bounded where it is parsed. */
const DEEPEST = 200

/** Cells that are read in one piece. */
const PIECE = 64

class TreeReading {
  #cells = 0;

  /** In pieces: as a text there is room for thirty thousand cells. */
  *cell(value: unknown, depth: number): Generator<void, Cell | null> {
    if (depth > DEEPEST || !isObject(value) || !isObject(value.data)) return null
    const { b64, len } = value.data
    const bytes = typeof b64 === 'string' ? fromBase64(b64) : null
    const refs: unknown = value.refs ?? []
    if (bytes === null || !Array.isArray(refs) || refs.length > MAX_REFS) return null
    if (typeof len !== 'number' || !Number.isInteger(len) || len < 0 || len > Math.min(MAX_BITS, bytes.length * 8))
      return null
    if (++this.#cells % PIECE === 0) yield
    const builder = beginCell().storeRange(bytes, 0, len)
    for (const ref of refs) {
      const cell = yield* this.cell(ref, depth + 1)
      if (cell === null) return null
      builder.storeRef(cell)
    }
    return builder.end(value.special === true)
  }
}

/** Null for anything that is no tree of cells. */
export async function readCellTree(value: unknown, slices: SlicedWork): Promise<Cell | null> {
  try {
    const tree = typeof value === 'string' ? await parseInSlices(value, slices) : value
    return await inPieces(new TreeReading().cell(tree, 0), slices)
  } catch (error) {
    if (error instanceof CellError || error instanceof SyntaxError || error instanceof RangeError) return null
    throw error
  }
}
