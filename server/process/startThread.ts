// Starts threads. A control group, or a limit of the user, may let this process have no more of them: each part goes on without, and
// those who listen are notified.

import { Worker, type WorkerOptions } from 'node:worker_threads'
import { hasCode } from './systemErrors.ts'
import type { WorkerEntry } from './workerEntry.ts'

/** Tries at first, and the time after which there is one more. Node keeps 25 kB of each thread that was refused, until the process ends. */
const MOST_TRIES = 8
const TRY_EVERY_MS = 60_000

const listeners = new Set<(cause: Error) => void>()

/** Calls back with each thread that cannot be started, until what is returned is called. */
export function onThreadRefused(listener: (cause: Error) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export class ThreadStarts {
  readonly #clock: () => number
  #tries = MOST_TRIES
  /** When `#tries` was right. */
  #since: number
  /** Threads that have ended, in whose place others can be started. */
  #places = 0

  /** `clock`: milliseconds; only differences count. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
    this.#since = clock()
  }

  /**
   * Null where the system refuses the thread, as it may do for some time only, or has refused some and is not to be tried again yet.
   * Flags of this process are not for threads.
   */
  readonly start = (entry: WorkerEntry, options: WorkerOptions): Worker | null => {
    if (this.#places === 0 && !this.#hasTries()) return null
    try {
      const thread = new Worker(entry, { ...options, execArgv: [] })
      this.#places = Math.max(0, this.#places - 1)
      thread.once('exit', () => void this.#places++)
      return thread
    } catch (error) {
      if (!(error instanceof Error && hasCode(error, 'ERR_WORKER_INIT_FAILED'))) throw error
      if (this.#places > 0) this.#places--
      else this.#tries--
      for (const listener of listeners) listener(error)
      return null
    }
  }

  #hasTries(): boolean {
    const more = Math.floor((this.#clock() - this.#since) / TRY_EVERY_MS)
    this.#since += more * TRY_EVERY_MS
    this.#tries = Math.min(MOST_TRIES, this.#tries + more)
    return this.#tries > 0
  }
}

const ofProcess = new ThreadStarts()

export const startThread = ofProcess.start
