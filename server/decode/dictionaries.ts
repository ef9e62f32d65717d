import { bigKey, type Cell, CellError, Dict, dictKind, type Slice } from '../cell/index.ts'
import { COST } from './decodeBudget.ts'
import type { Decoded, DecodedRecord, DecodeRead, Within } from './value.ts'

/** Entries of one dictionary that are shown; one with more counts as undecodable. */
const MOST_ENTRIES = 1000

/** Values by key, the key in decimal digits. */
export function readDictionary(
  root: Cell | null,
  within: Within,
  { keyBits, read }: { readonly keyBits: number; readonly read: DecodeRead },
): DecodedRecord {
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
    if (entries.length === MOST_ENTRIES) throw new CellError('value', `a dictionary of over ${MOST_ENTRIES} entries`)
    entries.push([String(key), shown])
  }
  return Object.fromEntries(entries)
}
