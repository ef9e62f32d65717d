// To and from the cells of @ton/core, with which tests compare ours.

import { BitString, Cell as CoreCell } from '@ton/core'
import { type Cell, makeCell } from '../../server/cell/cell.ts'
import { currentSlab, placeInSlab } from '../../server/cell/slab.ts'

/** The same tree in @ton/core's cells. Shared subtrees stay shared. */
export function toCore(root: Cell): CoreCell {
  const done = new Map<Cell, CoreCell>()
  const go = (cell: Cell): CoreCell => {
    const before = done.get(cell)
    if (before !== undefined) return before
    const bits = new BitString(Buffer.from(cell.data()), 0, cell.bits)
    const core = new CoreCell({ exotic: cell.isExotic, bits, refs: cell.refs.map(go) })
    done.set(cell, core)
    return core
  }
  return go(root)
}

/** The same tree in our cells. Throws CellError `exotic` where @ton/core was more lenient. */
export function fromCore(root: CoreCell): Cell {
  const done = new Map<CoreCell, Cell>()
  const go = (core: CoreCell): Cell => {
    const before = done.get(core)
    if (before !== undefined) return before
    const cell = tagged(core, core.refs.map(go))
    done.set(core, cell)
    return cell
  }
  return go(root)
}

function tagged(core: CoreCell, refs: Cell[]): Cell {
  const { bits } = core
  const padded = Buffer.alloc((bits.length + 7) >> 3)
  for (let i = 0; i < bits.length; i++) if (bits.at(i)) padded[i >> 3] = (padded[i >> 3] ?? 0) | (128 >> (i & 7))
  if ((bits.length & 7) !== 0) padded[bits.length >> 3] = (padded[bits.length >> 3] ?? 0) | (128 >> (bits.length & 7))
  const offset = placeInSlab(padded, 0, padded.length)
  return makeCell(currentSlab(), offset, bits.length, refs, core.isExotic)
}
