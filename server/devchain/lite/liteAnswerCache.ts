// A cache of answers, bounded in bytes: an answer as of a block stays true as long as the block is part of the chain.

import { LRUCache } from 'lru-cache'
import { bytesText } from '../../cell/index.ts'
import type { LiteOptions } from '../../node/index.ts'

/** Overhead of a cached answer. */
const OVERHEAD = 512
export const DEFAULT_KEPT_BYTES = 32 * 1024 * 1024

function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length + 64
  if (typeof value !== 'object' || value === null) return 8
  return Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 32)
}

type Caller = { readonly [K in 'signal' | 'share']?: LiteOptions[K] | undefined }

interface Making {
  readonly made: Promise<object>
  readonly signal: AbortSignal | undefined
}

export class LiteAnswerCache {
  readonly #kept: LRUCache<string, object> | null
  /** Being made, since the last time blocks were undone. */
  #making = new Map<string, Making>()

  /** `maxBytes` 0: no cache. */
  constructor(maxBytes: number) {
    const sizeCalculation = (answer: object, key: string): number => OVERHEAD + 2 * key.length + sizeOf(answer)
    this.#kept = maxBytes > 0 ? new LRUCache({ maxSize: maxBytes, sizeCalculation }) : null
  }

  /**
   * The cached answer under this key, or the one `make` returns, which may end with its caller. It is made once for all
   * requests of one caller meanwhile; another caller has it made in a turn of its own.
   */
  async getOrMake<T extends object>(
    parts: readonly KeyPart[],
    make: () => Promise<T>,
    { signal, share = '' }: Caller = {},
  ): Promise<T> {
    if (this.#kept === null) return await make()
    const key = parts.map(spell).join('|')
    for (;;) {
      // The casts: the key begins with the verb, so the cached answer has the type of that verb.
      const kept = this.#kept.get(key) as T | undefined
      if (kept !== undefined) return kept
      const making = this.#making.get(share + key)
      if (making === undefined) return await this.#begin(key, make, { signal, share })
      try {
        return (await making.made) as T
      } catch (error) {
        // It ended with the caller that began it.
        if (making.signal?.aborted !== true || signal?.aborted === true) throw error
      }
    }
  }

  async #begin<T extends object>(key: string, make: () => Promise<T>, { signal, share }: Caller): Promise<T> {
    const all = this.#making
    const keep = async (): Promise<T> => {
      try {
        const made = await make()
        if (all === this.#making) this.#kept?.set(key, made)
        return made
      } finally {
        all.delete(share + key)
      }
    }
    const made = keep()
    all.set(share + key, { made, signal })
    return await made
  }

  /** Drops everything: blocks were undone. */
  clear(): void {
    this.#making = new Map()
    this.#kept?.clear()
  }
}

/** A part of a cache key. */
export type KeyPart = string | number | bigint | boolean | Uint8Array | undefined

// With its length, so that bytes of a caller cannot imitate two parts.
const spell = (part: KeyPart): string =>
  part instanceof Uint8Array ? `${part.length}:${bytesText(part, 'latin1')}` : String(part)
