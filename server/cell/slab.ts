// Storage for the data of cells that are built one by one: packed into slabs, because a byte array of its own would
// cost a cell several times its data. A slab is small, so that a long-lived cell keeps little of its neighbours' data
// alive.

import { copyBits } from './bits.ts'

/** Building cells takes as long with 8 kB, of which states that change cell by cell then keep nearly all. */
const SLAB = 2048

let slab = Buffer.alloc(SLAB)
let top = 0

/** Copies bytes into the current slab and returns their offset. */
export function placeInSlab(bytes: Uint8Array, start: number, length: number): number {
  if (top + length > SLAB) {
    slab = Buffer.alloc(SLAB)
    top = 0
  }
  const offset = top
  top += length
  copyBits(slab, offset * 8, bytes, start * 8, length * 8)
  return offset
}

/** The slab the last `placeInSlab` wrote to. */
export const currentSlab = (): Buffer => slab
