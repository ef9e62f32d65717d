// Threads that the system refuses for real, as long as a test wants it.

import { startThread } from '../../server/process/index.ts'

/** No system has so much room for the stack of a thread: it refuses it, as it does where there are too many threads. */
const TOO_LARGE = { stackSizeMb: 2 ** 28 }

export class RefusedThreads {
  #left: number
  /** Threads that were refused. */
  count = 0

  /** So many are refused first. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#left = most
  }

  refuse(): void {
    this.#left = Number.POSITIVE_INFINITY
  }

  allow(): void {
    this.#left = 0
  }

  readonly start: typeof startThread = (entry, options) => {
    if (this.#left <= 0) return startThread(entry, options)
    this.#left--
    this.count++
    return startThread(entry, { ...options, resourceLimits: TOO_LARGE })
  }
}
