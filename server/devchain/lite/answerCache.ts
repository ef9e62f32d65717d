// Answers that cannot change, kept by how many bytes they have: whatever is asked as of a block stays true, as long as the
// block is part of the chain.

import { LRUCache } from 'lru-cache'

/** What keeping an answer costs besides its bytes. */
const OVERHEAD = 512
export const DEFAULT_KEPT_BYTES = 32 * 1024 * 1024

function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length + 64
  if (typeof value !== 'object' || value === null) return 8
  return Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 32)
}

export class AnswerCache {
  readonly #kept: LRUCache<string, object> | null
  #epoch = 0

  /** Keeps answers of so many bytes, or none at all. */
  constructor(mostBytes: number) {
    const sizeCalculation = (answer: object, key: string): number => OVERHEAD + 2 * key.length + sizeOf(answer)
    this.#kept = mostBytes > 0 ? new LRUCache({ maxSize: mostBytes, sizeCalculation }) : null
  }

  /** The answer that is kept under these words, or the one now made. */
  async remember<T extends object>(words: readonly Word[], make: () => Promise<T>): Promise<T> {
    if (this.#kept === null) return await make()
    const key = words.map(spell).join('|')
    // Words name the verb first, so an answer under them is one that verb has made.
    const kept = this.#kept.get(key) as T | undefined
    if (kept !== undefined) return kept
    const epoch = this.#epoch
    const made = await make()
    if (epoch === this.#epoch) this.#kept.set(key, made)
    return made
  }

  /** Forgets everything: blocks were undone. */
  clear(): void {
    this.#epoch++
    this.#kept?.clear()
  }
}

/** What makes two queries the same. */
export type Word = string | number | bigint | boolean | Uint8Array | undefined

// With its length, so that no bytes of a caller can pass for two words.
const spell = (word: Word): string =>
  word instanceof Uint8Array
    ? `${word.length}:${Buffer.from(word.buffer, word.byteOffset, word.length).toString('latin1')}`
    : String(word)
