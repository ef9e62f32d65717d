// Codecs of the values most dictionaries have.

import type { Cell } from '../cell.ts'
import type { Slice } from '../slice.ts'
import type { Codec } from './shape.ts'

/** The leaf as a slice. Written slices are not moved. */
export const sliceValue: Codec<Slice> = {
  load: (slice) => slice.loadRest(),
  store: (builder, value) => {
    builder.storeSlice(value)
  },
}

/** `^Cell`. */
export const refValue: Codec<Cell> = {
  load: (slice) => slice.loadRef(),
  store: (builder, value) => {
    builder.storeRef(value)
  },
}

/** `True`: no bits at all. */
export const unitValue: Codec<true> = { load: () => true, store: () => undefined }

/** Unsigned numbers of up to 53 bits. */
export const uintValue = (bits: number): Codec<number> => ({
  load: (slice) => slice.loadUint(bits),
  store: (builder, value) => {
    builder.storeUint(value, bits)
  },
})

/** `VarUInteger n`. */
export const varUintValue = (n: number): Codec<bigint> => ({
  load: (slice) => slice.loadVarUint(n),
  store: (builder, value) => {
    builder.storeVarUint(value, n)
  },
})

/** `Grams`. */
export const coinsValue: Codec<bigint> = varUintValue(16)
