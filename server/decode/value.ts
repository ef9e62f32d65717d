// What a decoded body is made of: plain JSON, with numbers as decimal digits.

import type { Cell, Slice } from '../cell/index.ts'
import type { DecodeBudget } from './decodeBudget.ts'

export type Decoded = string | boolean | readonly Decoded[] | { readonly [name: string]: Decoded }

export type DecodedRecord = { readonly [name: string]: Decoded }

export const NOTHING: DecodedRecord = { '@type': 'nothing_from_maybe' }

export const something = (value: Decoded): DecodedRecord => ({ '@type': 'something_from_maybe', value })

/** A value in a cell of its own. */
export const referenced = (value: Decoded): DecodedRecord => ({ cell_reference: value })

/** The body that is being decoded, as readers of its parts see it. */
export interface Within {
  /** What to make of a cell whose scheme is not given: its own decoding, or its bag of cells as text. */
  readonly nested: (cell: Cell) => Decoded
  /** Its bag of cells as text, whatever is in it. */
  readonly bag: (cell: Cell) => string
  readonly budget: DecodeBudget
}

export type DecodeRead = (slice: Slice, within: Within) => Decoded
