// Values that several tests put into structures.

import { beginCell, buildDict, type Cell, stdAddress } from '../../../server/cell/index.ts'
import { type CurrencyCollection, extraCurrencyKind, type StateInit } from '../../../server/tlb/index.ts'

export const bytes = (fill: number, length = 32): Uint8Array => new Uint8Array(length).fill(fill)
export const leaf = (value: number): Cell => beginCell().storeUint(value, 32).end()
export const sizes = { cells: 3, bits: 700 }
export const mixed: CurrencyCollection = {
  grams: 77n,
  other: buildDict(extraCurrencyKind, [
    [100, 5n],
    [239, 2n ** 200n],
  ] as const),
}

export const alice = stdAddress(0, bytes(1))
export const bob = stdAddress(-1, bytes(2))

export const init: StateInit = {
  fixedPrefixLength: 3,
  special: { tick: true, tock: false },
  code: leaf(1),
  data: leaf(2),
  library: null,
}
