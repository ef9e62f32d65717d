import { readDictionary } from './dictionaries.ts'
import { readVarUint } from './leafReaders.ts'
import type { DecodeRead } from './value.ts'

/** An amount under the name of its unit. */
export const amountReader =
  (name: string): DecodeRead =>
  (slice) => ({ '@type': name, amount: readVarUint(slice, 16) })

const grams = amountReader('nanograms')

/** `CurrencyCollection`. */
export const readCurrencies: DecodeRead = (slice, within) => ({
  '@type': 'currencies',
  grams: grams(slice, within),
  other: {
    '@type': 'extra_currencies',
    dict: readDictionary(slice.loadMaybeRef(), within, { keyBits: 32, read: (inner) => readVarUint(inner, 32) }),
  },
})
