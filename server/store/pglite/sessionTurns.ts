// The queue for the session of the embedded database, first in first out. A transaction has the session for itself; reads share
// it, so that the database has the next one when it is done with one. Behind a slow transaction reads go first for a while.

import { aborted } from '../rejections.ts'
import { StoreError } from '../storeError.ts'

export interface TurnOptions {
  /** Leaves the queue. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds in the queue; no limit by default. */
  readonly timeoutMs?: number
}

/** `exclusive` for a transaction, `shared` for a read. */
export type TurnKind = 'exclusive' | 'shared'

/**
 * Reads at once. They are answered one after the other, so that more would wait for a slow one; with fewer the database waits
 * for the next turns of a busy process.
 */
export const READS_AHEAD = 16
/** How many times as many a caller may have that is alone: see the lanes of `server/methods/`. */
export const TIMES_ALONE = 3

/** A transaction that took so long is slow: its commit waits for a slow disk, or it writes much. */
const SLOW_MS = 200
/**
 * The next one then lets reads go first, for this part of that time: a call has several, one after the other, and each would
 * wait for another transaction.
 */
const PART_FOR_READS = 1 / 8
const MOST_FOR_READS_MS = 250

interface Waiter {
  readonly kind: TurnKind
  go(): void
  refuse(cause: StoreError): void
}

export class SessionTurns {
  readonly #limit: number
  readonly #waiting = new Set<Waiter>()
  #isTaken = false
  #sharing = 0
  /** Whether reads go before transactions. */
  #isForReads = false

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Resolves when it is the caller's turn, with the function that ends it. */
  take(kind: TurnKind, { signal, timeoutMs }: TurnOptions = {}): Promise<() => void> {
    if (signal?.aborted === true) return Promise.reject(aborted(signal))
    const isFirst = this.#waiting.size === 0 || (this.#isForReads && kind === 'shared')
    if (isFirst && this.#isFree(kind)) return Promise.resolve(this.#begin(kind))
    if (this.#waiting.size >= this.#limit) {
      return Promise.reject(new StoreError('busy', `${this.#limit} statements are in the queue of the database`))
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        this.#waiting.delete(waiter)
      }
      const waiter: Waiter = {
        kind,
        go: () => {
          leave()
          resolve(this.#begin(kind))
        },
        refuse: (cause) => {
          leave()
          reject(cause)
          // The next ones may have waited only for this one.
          this.#next()
        },
      }
      const onAbort = () => waiter.refuse(aborted(signal))
      const onLate = () =>
        waiter.refuse(new StoreError('busy', `a statement was in the queue of the database for ${timeoutMs} ms`))
      const timer = timeoutMs === undefined ? undefined : setTimeout(onLate, timeoutMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiting.add(waiter)
    })
  }

  /** Rejects all in the queue. */
  clear(cause: StoreError): void {
    this.#isForReads = false
    for (const waiter of [...this.#waiting]) waiter.refuse(cause)
  }

  #isFree(kind: TurnKind): boolean {
    if (this.#isTaken) return false
    return kind === 'shared' ? this.#sharing < TIMES_ALONE * READS_AHEAD : this.#sharing === 0 && !this.#isForReads
  }

  #begin(kind: TurnKind): () => void {
    if (kind === 'exclusive') this.#isTaken = true
    else this.#sharing++
    const began = performance.now()
    let isEnded = false
    return () => {
      if (isEnded) return
      isEnded = true
      if (kind === 'exclusive') {
        this.#isTaken = false
        this.#letReadsGo(performance.now() - began)
      } else this.#sharing--
      this.#next()
    }
  }

  /** Reads that have waited for a slow transaction go first, with those that follow them soon. */
  #letReadsGo(ms: number): void {
    if (ms < SLOW_MS || ![...this.#waiting].some(({ kind }) => kind === 'shared')) return
    this.#isForReads = true
    setTimeout(
      () => {
        this.#isForReads = false
        this.#next()
      },
      Math.min(ms * PART_FOR_READS, MOST_FOR_READS_MS),
    )
  }

  #next(): void {
    for (const waiter of this.#waiting) {
      if (this.#isForReads && waiter.kind === 'exclusive') continue
      if (!this.#isFree(waiter.kind)) return
      waiter.go()
    }
  }
}
