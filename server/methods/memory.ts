// Answers that stay true are kept as finished text, so that the second caller costs a look-up. Bounded by bytes.

import { LRUCache } from 'lru-cache'
import type { Freshness } from '../../shared/method.ts'

export interface Memory {
  get(freshness: Freshness, key: string): string | undefined
  /** `block` is the one that was the newest when the work on the answer began. */
  set(freshness: Freshness, key: string, text: string, block: number): void
  /** A new masterchain block: what was true of the last one is forgotten. */
  newBlock(): void
  /** Counts them. */
  readonly block: number
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
  let blocks = 0
  const roomOf = (freshness: Freshness) => (freshness === 'fixed' ? fixed : freshness === 'block' ? block : null)
  return {
    get: (freshness, key) => roomOf(freshness)?.get(key),
    set(freshness, key, text, began) {
      // What was read before the last block came is true of the one before it.
      if (freshness === 'block' && began !== blocks) return
      if (key.length <= LONGEST_KEY) roomOf(freshness)?.set(key, text)
    },
    newBlock() {
      blocks++
      block.clear()
    },
    get block() {
      return blocks
    },
  }
}
