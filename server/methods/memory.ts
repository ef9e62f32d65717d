// Answers that stay true are kept as finished text, so that the second caller costs a look-up. Bounded by bytes.

import { LRUCache } from 'lru-cache'
import type { Freshness } from '../../shared/method.ts'

export interface Memory {
  get(freshness: Freshness, key: string): string | undefined
  set(freshness: Freshness, key: string, text: string): void
  /** A new masterchain block: what was true of the last one is forgotten. */
  newBlock(): void
}

/** Longest key kept: a call with larger params is not worth remembering. */
const LONGEST_KEY = 4096

/** Splits `bytes` evenly between answers true for ever and answers true for one block. */
export function createMemory(bytes: number): Memory {
  const room = () =>
    new LRUCache<string, string>({
      maxSize: Math.max(1, Math.floor(bytes / 2)),
      // Two bytes a character is what text with anything beyond Latin-1 takes; the rest is bookkeeping.
      sizeCalculation: (text, key) => 2 * (text.length + key.length) + 128,
    })
  const fixed = room()
  const block = room()
  const roomOf = (freshness: Freshness) => (freshness === 'fixed' ? fixed : freshness === 'block' ? block : null)
  return {
    get: (freshness, key) => roomOf(freshness)?.get(key),
    set(freshness, key, text) {
      if (key.length <= LONGEST_KEY) roomOf(freshness)?.set(key, text)
    },
    newBlock: () => block.clear(),
  }
}
