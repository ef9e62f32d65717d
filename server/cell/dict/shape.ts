// What a kind of dictionary is: how long its keys are, how values are written, and what each node adds up. Dictionaries
// themselves are plain trees of cells; everything about them is a function of such a shape and a root.

import type { Builder } from '../builder.ts'
import type { Slice } from '../slice.ts'

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
