// Who may ask the embedded database now. It has one session: whoever is in a transaction has all of it, while reads may be
// asked side by side, so that it has the next when it is done with one. In the order they came.

import { StoreError } from '../errors.ts'
import { aborted } from '../waiting.ts'

export interface Patience {
  /** Stops waiting. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds after which it is no use any more. */
  readonly patienceMs?: number
}

/** `alone` for a transaction, `beside` others of its kind for a read. */
export type TurnKind = 'alone' | 'beside'

/** Reads at once: they are answered one after the other, and those behind wait for one that is slow. */
const MOST_BESIDE = 8

interface Waiter {
  readonly kind: TurnKind
  go(): void
  refuse(cause: StoreError): void
}

export class Turns {
  readonly #limit: number
  readonly #waiting = new Set<Waiter>()
  #isTaken = false
  #beside = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Resolves when it is the caller's turn, with the function that ends it. */
  take(kind: TurnKind, { signal, patienceMs }: Patience = {}): Promise<() => void> {
    if (signal?.aborted === true) return Promise.reject(aborted(signal))
    if (this.#waiting.size === 0 && this.#isFree(kind)) return Promise.resolve(this.#begin(kind))
    if (this.#waiting.size >= this.#limit) {
      return Promise.reject(new StoreError('busy', `More than ${this.#limit} statements wait for the database`))
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
          // Those behind may have waited for nobody else.
          this.#next()
        },
      }
      const onAbort = () => waiter.refuse(aborted(signal))
      const onLate = () => waiter.refuse(new StoreError('busy', `The database had no time for ${patienceMs} ms`))
      const timer = patienceMs === undefined ? undefined : setTimeout(onLate, patienceMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiting.add(waiter)
    })
  }

  /** Refuses all who wait. */
  clear(cause: StoreError): void {
    for (const waiter of [...this.#waiting]) waiter.refuse(cause)
  }

  #isFree(kind: TurnKind): boolean {
    return !this.#isTaken && (kind === 'alone' ? this.#beside === 0 : this.#beside < MOST_BESIDE)
  }

  #begin(kind: TurnKind): () => void {
    if (kind === 'alone') this.#isTaken = true
    else this.#beside++
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      if (kind === 'alone') this.#isTaken = false
      else this.#beside--
      this.#next()
    }
  }

  #next(): void {
    for (const waiter of this.#waiting) {
      if (!this.#isFree(waiter.kind)) return
      waiter.go()
    }
  }
}
