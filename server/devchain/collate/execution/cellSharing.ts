// New trees that keep the cells of old ones. What the TVM returns are fresh cells, also for the parts of an account that did
// not change; put into the state as they are, every transaction would leave one more copy of the contract's code behind.

import { type BinaryHash, beginCell, type Cell, openAny } from '../../../cell/index.ts'

/** Distinct codes kept for accounts that are new to the state. */
const MAX_KNOWN = 512
/** Cells compared one by one before their hashes are computed instead, which costs more but is bounded. */
const PATIENCE = 64

export class CellSharing {
  // Trees of code under which new accounts keep appearing (wallets of one kind), newest last.
  readonly #known = new Map<BinaryHash, Cell>()

  /**
   * The same tree over cells of `before` where both have the same in the same place. Cells that are new are copied out of the
   * bag they came in, so that a long-lived account does not hold on to it.
   */
  adopt(fresh: Cell, before: Cell): Cell {
    return this.#adopt(fresh, before, new Map())
  }

  /** Caches the code of an account for accounts to come. */
  cache(code: Cell): void {
    const hash = code.hash()
    const kept = this.#known.get(hash)
    this.#known.delete(hash)
    this.#known.set(hash, kept ?? code)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest)
  }

  // `done`: a few cells that refer to each other several times have more paths than can be walked.
  #adopt(cell: Cell, before: Cell | undefined, done: Map<Cell, Cell>): Cell {
    if (before !== undefined && isSame(cell, before)) return before
    const copied = done.get(cell)
    if (copied !== undefined) return copied
    const known = before === undefined ? this.#known.get(cell.hash()) : undefined
    if (known !== undefined) return known
    const builder = beginCell().storeSlice(openAny(cell).loadSlice(cell.bits, 0))
    cell.refs.forEach((ref, i) => {
      builder.storeRef(this.#adopt(ref, before?.refs[i], done))
    })
    const copy = builder.end(cell.isExotic)
    if (cell.refs.length > 0) done.set(cell, copy)
    return copy
  }
}

let patience = 0

function isSame(a: Cell, b: Cell): boolean {
  patience = PATIENCE
  return isEqual(a, b)
}

// Hashes of fresh cells are mostly not known yet; comparing their contents is several times faster than computing one.
function isEqual(a: Cell, b: Cell): boolean {
  if (a === b) return true
  if (a.isHashed && b.isHashed) return a.hash() === b.hash()
  const count = a.refs.length
  if (a.bits !== b.bits || count !== b.refs.length || a.isExotic !== b.isExotic) return false
  if (count > 0 && a.depth() !== b.depth()) return false
  if (--patience < 0) return a.hash() === b.hash()
  const length = (a.bits + 7) >> 3
  if (a.bytes.compare(b.bytes, b.offset, b.offset + length, a.offset, a.offset + length) !== 0) return false
  for (let i = 0; i < count; i++) {
    const left = a.refs[i]
    const right = b.refs[i]
    if (left === undefined || right === undefined || !isEqual(left, right)) return false
  }
  return true
}
