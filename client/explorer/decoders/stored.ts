// Descriptions of contracts that a person has added, kept by the browser, by the hash of the code.

import { signal } from '@preact/signals'

export interface StoredAbi {
  /** As it was given. */
  readonly text: string
  readonly name: string
  readonly errors: Readonly<Record<string, string>>
}

const KEY = 'explorer-abis'
const MOST = 100

type Stored = Readonly<Record<string, StoredAbi>>

function kept(): Stored {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof found === 'object' && found !== null ? (found as Stored) : {}
  } catch {
    // A browser can refuse storage; descriptions then last as long as the page.
    return {}
  }
}

const stored = signal<Stored>(kept())

/** The description of a code, when there is one. */
export const abiOf = (codeHash: string | null | undefined): StoredAbi | undefined =>
  codeHash && Object.hasOwn(stored.value, codeHash) ? stored.value[codeHash] : undefined

/** Keeps the description of a code; null removes it. */
export function storeAbi(codeHash: string, abi: StoredAbi | null): void {
  const others = Object.entries(stored.value).filter(([hash]) => hash !== codeHash)
  stored.value = Object.fromEntries([...others, ...(abi === null ? [] : ([[codeHash, abi]] as const))].slice(-MOST))
  try {
    localStorage.setItem(KEY, JSON.stringify(stored.value))
  } catch {
    // As above.
  }
}
