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
  let size = 32
  for (const part of Object.values(value)) size += sizeOf(part)
  return size
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
  getOrMake<T extends object>(
    parts: readonly KeyPart[],
    make: () => Promise<T>,
    { signal, share = '' }: Caller = {},
  ): T | Promise<T> {
    if (this.#kept === null) return make()
    const key = parts.map(spell).join('|')
    // The cast: the key begins with the verb, so the cached answer has the type of that verb.
    const kept = this.#kept.get(key) as T | undefined
    if (kept !== undefined) return kept
    const making = this.#making.get(share + key)
    return making === undefined
      ? this.#begin(key, make, { signal, share })
      : this.#join(making, signal, () => this.getOrMake(parts, make, { signal, share }))
  }

  async #join<T extends object>(
    making: Making,
    signal: AbortSignal | undefined,
    again: () => T | Promise<T>,
  ): Promise<T> {
    try {
      // The cast: as above.
      return (await making.made) as T
    } catch (error) {
      // It ended with the caller that began it.
      if (making.signal?.aborted !== true || signal?.aborted === true) throw error
      return await again()
    }
  }

  #begin<T extends object>(key: string, make: () => Promise<T>, { signal, share }: Caller): Promise<T> {
    const all = this.#making
    const made = make().then(
      (answer) => {
        all.delete(share + key)
        if (all === this.#making) this.#kept?.set(key, answer)
        return answer
      },
      (error: unknown) => {
        all.delete(share + key)
        throw error
      },
    )
    all.set(share + key, { made, signal })
    return made
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
