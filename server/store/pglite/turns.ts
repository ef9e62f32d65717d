// One at a time, in the order they came: the embedded database has one session, and whoever is in a transaction has all
// of it.

import { StoreError } from '../errors.ts'
import { aborted } from '../waiting.ts'

export interface Patience {
  /** Stops waiting. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds after which it is no use any more. */
  readonly patienceMs?: number
}

interface Waiter {
  go(): void
  refuse(cause: StoreError): void
}

export class Turns {
  readonly #limit: number
  readonly #waiting = new Set<Waiter>()
  #isTaken = false

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Resolves when it is the caller's turn, with the function that ends it. */
  take({ signal, patienceMs }: Patience = {}): Promise<() => void> {
    if (signal?.aborted === true) return Promise.reject(aborted(signal))
    if (!this.#isTaken) return Promise.resolve(this.#begin())
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
        go: () => {
          leave()
          resolve(this.#begin())
        },
        refuse: (cause) => {
          leave()
          reject(cause)
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

  #begin(): () => void {
    this.#isTaken = true
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#isTaken = false
      const [next] = this.#waiting
      next?.go()
    }
  }
}
