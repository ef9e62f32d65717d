// Descriptions of contracts that a person adds: kept by this browser, for all its tabs.

import { toast } from '../parts/Toast.tsx'
import { ABIS_KEY, keptAbis, type StoredAbi, stored } from './stored.ts'

/** Descriptions that are kept; the oldest go first. */
export const MOST_ABIS = 100

/** Whether a person has added the description here. */
export const isOwnAbi = (codeHash: string): boolean => Object.hasOwn(stored.value, codeHash)

/** What a person has added here: texts by the hash of the code. */
export const ownAbis = (): readonly (readonly [hash: string, text: string])[] =>
  Object.entries(stored.value).flatMap(([hash, { text }]) => (text === null ? [] : [[hash, text] as const]))

/** Keeps the description of a code; null removes it. */
export function storeAbi(codeHash: string, abi: StoredAbi | null): void {
  const others = Object.entries({ ...stored.value, ...keptAbis() }).filter(([hash]) => hash !== codeHash)
  stored.value = Object.fromEntries(
    [...others, ...(abi === null ? [] : ([[codeHash, abi]] as const))].slice(-MOST_ABIS),
  )
  try {
    localStorage.setItem(ABIS_KEY, JSON.stringify(stored.value))
  } catch {
    if (abi !== null) toast('This browser keeps no more: the ABI lasts as long as this page.')
  }
}
