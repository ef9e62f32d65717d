// New trees that keep the cells of old ones. What the TVM returns are fresh cells, also for the parts of an account that did
// not change; put into the state as they are, every transaction would leave one more copy of the contract's code behind.

import { beginCell, type Cell, type Hash, openAny } from '../../../cell/index.ts'

/** Distinct codes kept for accounts that are new to the state. */
const MAX_KNOWN = 512

export class CellSharing {
  // Trees of code under which new accounts keep appearing (wallets of one kind), newest last.
  readonly #known = new Map<Hash, Cell>()

  /**
   * The same tree over cells of `before` wherever they are equal. Cells that are new are copied out of the bag they came in, so
   * that a long-lived account does not hold on to it.
   */
  adopt(fresh: Cell, before: Cell): Cell {
    const old = new Map<Hash, Cell>()
    collect(before, old)
    return this.#rebuild(fresh, old)
  }

  /** Remembers the code of an account for accounts to come. */
  remember(code: Cell): void {
    const hash = code.hash()
    const kept = this.#known.get(hash)
    this.#known.delete(hash)
    this.#known.set(hash, kept ?? code)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest)
  }

  #rebuild(cell: Cell, old: ReadonlyMap<Hash, Cell>): Cell {
    const hash = cell.hash()
    const same = old.get(hash) ?? this.#known.get(hash)
    if (same !== undefined) return same
    const builder = beginCell().storeSlice(openAny(cell).loadSlice(cell.bits, 0))
    for (const ref of cell.refs) builder.storeRef(this.#rebuild(ref, old))
    return builder.end(cell.isExotic)
  }
}

function collect(cell: Cell, into: Map<Hash, Cell>): void {
  const hash = cell.hash()
  if (into.has(hash)) return
  into.set(hash, cell)
  for (const ref of cell.refs) collect(ref, into)
}
