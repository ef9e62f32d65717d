// A cache of answers, bounded in bytes: an answer as of a block stays true as long as the block is part of the chain.

import { LRUCache } from 'lru-cache'
import { bytesText } from '../../cell/index.ts'

/** Overhead of a cached answer. */
const OVERHEAD = 512
export const DEFAULT_KEPT_BYTES = 32 * 1024 * 1024

function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length + 64
  if (typeof value !== 'object' || value === null) return 8
  return Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 32)
}

export class LiteAnswerCache {
  readonly #kept: LRUCache<string, object> | null
  #epoch = 0

  /** `maxBytes` 0: no cache. */
  constructor(maxBytes: number) {
    const sizeCalculation = (answer: object, key: string): number => OVERHEAD + 2 * key.length + sizeOf(answer)
    this.#kept = maxBytes > 0 ? new LRUCache({ maxSize: maxBytes, sizeCalculation }) : null
  }

  /** The cached answer under this key, or the one `make` returns. */
  async getOrMake<T extends object>(parts: readonly KeyPart[], make: () => Promise<T>): Promise<T> {
    if (this.#kept === null) return await make()
    const key = parts.map(spell).join('|')
    // The cast: the key begins with the verb, so the cached answer has the type of that verb.
    const kept = this.#kept.get(key) as T | undefined
    if (kept !== undefined) return kept
    const epoch = this.#epoch
    const made = await make()
    if (epoch === this.#epoch) this.#kept.set(key, made)
    return made
  }

  /** Drops everything: blocks were undone. */
  clear(): void {
    this.#epoch++
    this.#kept?.clear()
  }
}

/** A part of a cache key. */
export type KeyPart = string | number | bigint | boolean | Uint8Array | undefined

// With its length, so that bytes of a caller cannot imitate two parts.
const spell = (part: KeyPart): string =>
  part instanceof Uint8Array ? `${part.length}:${bytesText(part, 'latin1')}` : String(part)
