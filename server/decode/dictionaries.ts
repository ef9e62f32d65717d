import { bigKey, type Cell, Dict, dictKind, type Slice } from '../cell/index.ts'
import { COST } from './decodeBudget.ts'
import type { Decoded, DecodeRead, Within } from './value.ts'

/** Entries of one dictionary that are shown; one with more stays a bag of cells. */
const MOST_ENTRIES = 1000

/** Values by key, the key in decimal digits; the bag of cells as text where there are very many. */
export function readDictionary(
  root: Cell | null,
  within: Within,
  { keyBits, read }: { readonly keyBits: number; readonly read: DecodeRead },
): Decoded {
  if (root === null) return {}
  const codec = {
    load: (slice: Slice) => {
      within.budget.spend(COST.entry)
      return read(slice, within)
    },
    store: () => {
      throw new Error('decoded values are not written')
    },
  }
  const entries: [string, Decoded][] = []
  for (const [key, shown] of new Dict(dictKind(bigKey(keyBits), codec), root)) {
    if (entries.length === MOST_ENTRIES) return within.bag(root)
    entries.push([String(key), shown])
  }
  return Object.fromEntries(entries)
}
