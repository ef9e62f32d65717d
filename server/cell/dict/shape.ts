// What a kind of dictionary is: how long its keys are, how values are written, and what each node adds up. Dictionaries
// themselves are plain trees of cells; everything about them is a function of such a shape and a root.

import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { Slice } from '../slice.ts'
import { readLabel } from './label.ts'

/** Reads and writes values of one form. */
export interface Codec<V> {
  load(slice: Slice): V
  store(builder: Builder, value: V): void
}

/** What a node of an augmented dictionary states about everything below it. */
export interface Augmentation<V, X> extends Codec<X> {
  /** The extra of one entry. */
  leaf(value: V): X
  combine(left: X, right: X): X
  /** The extra of a dictionary without entries. */
  readonly empty: X
}

export interface Shape<V, X> {
  readonly keyBits: number
  readonly value: Codec<V>
  readonly augmentation: Augmentation<V, X> | null
}

/** The contents of a node behind its label, which ends at `labelEnd`; forks still have their two references in front. */
export function bodyOfShape(cell: Cell, labelEnd: number): Slice {
  return new Slice(cell, labelEnd, cell.offset * 8 + cell.bits, 0, cell.refs.length)
}

/** The value of a leaf. */
export function leafValue<V, X>(shape: Shape<V, X>, cell: Cell, labelEnd: number): V {
  const body = bodyOfShape(cell, labelEnd)
  shape.augmentation?.load(body)
  return shape.value.load(body)
}

/** The extra of a node that has `max` undecided key bits. */
export function extraOf<V, X>(augmentation: Augmentation<V, X>, cell: Cell, max: number): X {
  const label = readLabel(cell, max)
  const body = bodyOfShape(cell, label.end)
  if (label.length < max) body.skipRefs(2)
  return augmentation.load(body)
}
