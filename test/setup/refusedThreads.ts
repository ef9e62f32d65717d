// Threads that the system refuses for real, as long as a test wants it.

import type { startThread } from '../../server/process/index.ts'
import { ThreadStarts } from '../../server/process/startThread.ts'

/** No system has so much room for the stack of a thread: it refuses it, as it does where there are too many threads. */
export const TOO_LARGE = { stackSizeMb: 2 ** 28 }

/** More than between two tries. */
const LONG_MS = 3_600_000

export class RefusedThreads {
  #now = 0
  /** By a clock that lets each try be made. */
  readonly #starts = new ThreadStarts(() => (this.#now += LONG_MS))
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
    if (this.#left <= 0) return this.#starts.start(entry, options)
    this.#left--
    this.count++
    return this.#starts.start(entry, { ...options, resourceLimits: TOO_LARGE })
  }
}
