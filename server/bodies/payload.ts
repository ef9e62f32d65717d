// `Either Cell ^Cell`: what is forwarded with a transfer, in the body itself or in a cell of its own.

import { type Builder, beginCell, type Cell, openCell, type Slice } from '../cell/index.ts'

/** What is written. */
export interface PayloadParts {
  readonly form: 'inline' | 'reference'
  readonly cell: Cell
}

/** What was read. One in the body becomes a cell only when that is needed. */
export class Payload implements PayloadParts {
  readonly form: 'inline' | 'reference'
  readonly #slice: Slice | null
  #cell: Cell | null

  private constructor(slice: Slice | null, cell: Cell | null) {
    this.form = cell === null ? 'inline' : 'reference'
    this.#slice = slice
    this.#cell = cell
  }

  static load(slice: Slice): Payload {
    return slice.loadBit() ? new Payload(null, slice.loadRef()) : new Payload(slice.loadRest(), null)
  }

  get cell(): Cell {
    if (this.#cell !== null) return this.#cell
    const builder = beginCell()
    if (this.#slice !== null) builder.storeSlice(this.#slice)
    this.#cell = builder.end()
    return this.#cell
  }

  /** To read from. Throws CellError for a cell that is not ordinary. */
  open(): Slice {
    return this.#slice === null ? openCell(this.cell) : this.#slice.clone()
  }
}

export function storePayload(builder: Builder, { form, cell }: PayloadParts): void {
  if (form === 'reference') builder.storeBit(1).storeRef(cell)
  else builder.storeBit(0).storeSlice(openCell(cell))
}
