// An LRU cache, bounded in bytes, of verified answers that can never change. Concurrent equal reads are one read.

import { LRUCache } from 'lru-cache'
import { bytesText } from '../../cell/index.ts'
import { PassingMap } from '../../fairness/index.ts'
import type { AccountId, BlockIdExt } from '../blockId.ts'
import { boundedWait } from '../bounded.ts'
import type { ReadOptions } from '../chain.ts'
import { LiteError } from '../liteErrors.ts'

/** Overhead of an entry. */
const ENTRY_BYTES = 512

const latin1 = (bytes: Uint8Array): string => bytesText(bytes, 'latin1')

const keyOf = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): string =>
  `${workchain}:${shard}:${seqno}:${latin1(rootHash)}${latin1(fileHash)}`

let last: { readonly id: BlockIdExt; readonly key: string } | null = null

/** Most reads are about the newest block, and name it by the same object. */
export function cachedBlockKey(id: BlockIdExt): string {
  if (last?.id !== id) last = { id, key: keyOf(id) }
  return last.key
}

export const cachedAccountKey = (id: BlockIdExt, { workchain, hash }: AccountId): string =>
  `${cachedBlockKey(id)} ${workchain} ${latin1(hash)}`

/** The caller that started the read has gone; the others must read again. */
const isOfCaller = (error: unknown): boolean =>
  error instanceof LiteError && (error.kind === 'cancelled' || error.kind === 'timeout')

export class VerifiedCache<T> {
  readonly #kept: LRUCache<string, { readonly value: T }>
  readonly #running = new PassingMap<string, Promise<T>>()
  readonly #isKept: (value: T) => boolean

  constructor(maxBytes: number, sizeOf: (value: T) => number, isKept: (value: T) => boolean = () => true) {
    this.#isKept = isKept
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ value }) => ENTRY_BYTES + sizeOf(value) })
  }

  /** Rejects as `fetch` does; failures are not cached. */
  get(key: string, options: ReadOptions | undefined, fetch: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key)
    if (kept !== undefined) return Promise.resolve(kept.value)
    return this.#running.get(key) === undefined ? this.#begin(key, fetch) : this.#join(key, options, fetch)
  }

  async #join(key: string, options: ReadOptions | undefined, fetch: () => Promise<T>): Promise<T> {
    for (;;) {
      const kept = this.#kept.get(key)
      if (kept !== undefined) return kept.value
      const running = this.#running.get(key)
      if (running === undefined) return await this.#begin(key, fetch)
      try {
        return await boundedWait(running, options ?? {}, () => 'the answer to an equal read did not come in time')
      } catch (error) {
        if (!isOfCaller(error) || options?.signal?.aborted === true || this.#running.get(key) === running) throw error
      }
    }
  }

  async #begin(key: string, fetch: () => Promise<T>): Promise<T> {
    const running = fetch()
    this.#running.set(key, running)
    try {
      const value = await running
      if (this.#isKept(value)) this.#kept.set(key, { value })
      return value
    } finally {
      this.#running.delete(key)
    }
  }
}
