// A caller's part of the pool: what it waits for, what it runs, and what its runs took lately.

import type { Job, JobResult } from './jobs.ts'
import type { TvmConfig } from './tvmConfig.ts'
import type { TvmError } from './tvmError.ts'

/** A job and who waits for it. The config travels apart, and only if the thread has not seen it. */
export interface PendingJob {
  readonly id: number
  readonly job: Job
  readonly config: TvmConfig
  readonly timeLimitMs: number
  readonly share: ThreadShare
  /** Aborted: its answer is of no use any more. */
  dropped: boolean
  resolve(result: JobResult): void
  reject(cause: TvmError): void
}

/** Longer runs are slow ones. The first run of a thread takes some 20 ms, 1 M gas up to 600 ms. */
const SLOW_MS = 100
const USED_HALF_LIFE_MS = 5000
/** Long enough that a caller of quick runs cannot have all threads for a slow one every few seconds. */
const PEAK_HALF_LIFE_MS = 60_000
/** A share that is idle and used less is as good as a new one. */
const LEAST_MS = 1

export class ThreadShare {
  readonly name: string
  /** In the order they came. */
  readonly waiting = new Set<PendingJob>()
  /** Sent to a thread and not answered yet. */
  running = 0
  /** Thread time of its runs, and the longest of them, both forgotten by halves. */
  #usedMs = 0
  #peakMs = 0
  #averageMs = 0
  #finished = 0

  constructor(name: string) {
    this.name = name
  }

  /** Nothing is known of how long its runs take. */
  get isNew(): boolean {
    return this.#finished === 0
  }

  get isSlow(): boolean {
    return this.#peakMs > SLOW_MS
  }

  /** The share with the least goes next; what is running is counted as what such a run took before. */
  get rank(): number {
    return this.#usedMs + this.running * Math.max(this.#averageMs, 0.1)
  }

  charge(ms: number): void {
    this.#usedMs += ms
    this.#peakMs = Math.max(this.#peakMs, ms)
    this.#averageMs = this.#finished === 0 ? ms : (3 * this.#averageMs + ms) / 4
    this.#finished++
  }

  /** Time has passed. */
  fade(ms: number): void {
    this.#usedMs *= 2 ** (-ms / USED_HALF_LIFE_MS)
    this.#peakMs *= 2 ** (-ms / PEAK_HALF_LIFE_MS)
  }

  /** Nothing of it needs to be kept. */
  get isSpent(): boolean {
    return this.waiting.size === 0 && this.running === 0 && this.#usedMs < LEAST_MS && !this.isSlow
  }
}
