// Amounts: grams and a dictionary of extra currencies, which is nearly always empty.

import {
  type Augmentation,
  type Builder,
  Dict,
  dictKind,
  emptyDict,
  type Slice,
  storeDict,
  uintKey,
  varUintValue,
} from '../cell/index.ts'
import { TlbError } from './fields.ts'

// A node lets a message carry two. The bound is for cells that claim millions by sharing subtrees.
const MOST_CURRENCIES = 4096

export type ExtraCurrencies = Dict<number, bigint>

export interface CurrencyCollection {
  readonly grams: bigint
  readonly other: ExtraCurrencies
}

export const extraCurrencyKind = dictKind(uintKey(32), varUintValue(32))

const NO_EXTRA: ExtraCurrencies = emptyDict(extraCurrencyKind)

export const ZERO_CURRENCY: CurrencyCollection = { grams: 0n, other: NO_EXTRA }

/** An amount without extra currencies. */
export const gramsOnly = (grams: bigint): CurrencyCollection => ({ grams, other: NO_EXTRA })

export function loadCurrency(slice: Slice): CurrencyCollection {
  const grams = slice.loadCoins()
  const root = slice.loadMaybeRef()
  return { grams, other: root === null ? NO_EXTRA : new Dict(extraCurrencyKind, root) }
}

export function storeCurrency(builder: Builder, value: CurrencyCollection): Builder {
  return storeDict(builder.storeCoins(value.grams), value.other)
}

function addExtra(a: ExtraCurrencies, b: ExtraCurrencies, sign: 1n | -1n): ExtraCurrencies {
  if (b.root === null) return a
  if (a.root === null && sign === 1n) return b
  const changes: [number, bigint | null][] = []
  for (const [id, amount] of b) {
    if (changes.length === MOST_CURRENCIES) throw new TlbError('value', `more than ${MOST_CURRENCIES} currencies`)
    const sum = (a.get(id) ?? 0n) + sign * amount
    changes.push([id, sum === 0n ? null : sum])
  }
  return a.update(changes)
}

export const addCurrency = (a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection => ({
  grams: a.grams + b.grams,
  other: addExtra(a.other, b.other, 1n),
})

/** `a - b`. Throws CellError `range` when an extra currency would go below zero; check grams yourself. */
export const subtractCurrency = (a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection => ({
  grams: a.grams - b.grams,
  other: addExtra(a.other, b.other, -1n),
})

export const equalCurrency = (a: CurrencyCollection, b: CurrencyCollection): boolean =>
  a.grams === b.grams && (a.other.root?.hash() ?? '') === (b.other.root?.hash() ?? '')

/** Sums of currencies over a dictionary, given what one entry counts. */
export const currencySum = <V>(leaf: (value: V) => CurrencyCollection): Augmentation<V, CurrencyCollection> => ({
  load: loadCurrency,
  store: storeCurrency,
  leaf,
  combine: addCurrency,
  empty: ZERO_CURRENCY,
})
