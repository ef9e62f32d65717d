// Runs that wait for a thread, in one queue per caller. The next run is taken from the caller who used the least thread
// time recently, so a light caller does not wait behind a heavy one.

import { type PendingJob, ThreadShare } from './threadShare.ts'
import { TvmBusy, type TvmError } from './tvmError.ts'

export interface RunQueueOptions {
  /** Jobs that may wait, of all callers together. */
  readonly limit: number
  /** Jobs one caller may have. */
  readonly shareLimit: number
  /** Threads that slow runs may have together, and a new caller alone: one less than there are, if there are several. */
  readonly slowLimit: number
  /** Milliseconds from any origin. */
  readonly now?: () => number
}

const FADE_EVERY_MS = 250

export class RunQueue {
  readonly #options: RunQueueOptions
  readonly #now: () => number
  readonly #shares = new Map<string, ThreadShare>()
  readonly #waiting = new Set<ThreadShare>()
  readonly #running = new Set<ThreadShare>()
  #size = 0
  #fadedAt: number

  constructor(options: RunQueueOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#fadedAt = this.#now()
  }

  /** Jobs that wait. */
  get size(): number {
    return this.#size
  }

  /** Callers that are known: with jobs, or with time to their account. */
  get shares(): number {
    return this.#shares.size
  }

  share(name: string): ThreadShare {
    const share = this.#shares.get(name) ?? new ThreadShare(name)
    this.#shares.set(name, share)
    return share
  }

  /**
   * `ahead` jobs were sent to threads and not started. Throws TvmBusy for a caller that has too many jobs. When there
   * are too many in all, the last job of the caller with most of them is rejected instead of one of a caller with few.
   */
  add(job: PendingJob, ahead: number): void {
    this.#fade()
    const { limit, shareLimit } = this.#options
    const { share } = job
    if (share.waiting.size + share.running > shareLimit) throw new TvmBusy(shareLimit, 'caller')
    if (this.#size + ahead >= limit) {
      const evicted = this.#largest(share)
      if (evicted === undefined) throw new TvmBusy(limit, 'all')
      this.remove(evicted)
      evicted.reject(new TvmBusy(limit, 'all'))
    }
    this.#insert(job)
  }

  /** The job that should run next, whether or not a thread is free for it; null when none may. */
  next(): PendingJob | null {
    this.#fade()
    const { slowLimit } = this.#options
    let slow = 0
    for (const share of this.#running) if (share.isSlow) slow += share.running
    let best: ThreadShare | null = null
    for (const share of this.#waiting) {
      if (share.isSlow ? slow >= slowLimit : share.isNew && share.running >= slowLimit) continue
      if (best === null || share.rank < best.rank) best = share
    }
    const [job] = best?.waiting ?? []
    return job ?? null
  }

  /** A job that waited goes to a thread. */
  start(job: PendingJob): void {
    this.remove(job)
    job.share.running++
    this.#running.add(job.share)
  }

  /** A thread is done with a job that took so long. */
  finish({ share }: PendingJob, ms: number): void {
    this.#stop(share)
    share.charge(ms)
  }

  /** The jobs were sent to a thread and not started: first again among the jobs of their callers. */
  putBack(jobs: readonly PendingJob[]): void {
    for (const { share } of jobs) this.#stop(share)
    for (const job of [...jobs].reverse()) {
      if (job.dropped) continue
      const behind = [...job.share.waiting]
      for (const each of behind) this.remove(each)
      for (const each of [job, ...behind]) this.#insert(each)
    }
  }

  /** Takes out a job that waits, if it does. */
  remove(job: PendingJob): void {
    const { share } = job
    if (!share.waiting.delete(job)) return
    this.#size--
    if (share.waiting.size === 0) this.#waiting.delete(share)
  }

  /** Rejects all that is queued. */
  reject(cause: TvmError): void {
    const jobs = [...this.#waiting].flatMap(({ waiting }) => [...waiting])
    for (const job of jobs) {
      this.remove(job)
      job.reject(cause)
    }
  }

  #insert(job: PendingJob): void {
    const { share } = job
    // It may have been dropped while the job ran.
    this.#shares.set(share.name, share)
    share.waiting.add(job)
    this.#waiting.add(share)
    this.#size++
  }

  #stop(share: ThreadShare): void {
    share.running--
    if (share.running === 0) this.#running.delete(share)
  }

  /** The last job of the share with most of them; undefined when that is not clearly more than another one has. */
  #largest(than: ThreadShare): PendingJob | undefined {
    let largest = than
    for (const share of this.#waiting) if (share.waiting.size > largest.waiting.size) largest = share
    return largest.waiting.size > than.waiting.size + 1 ? [...largest.waiting].at(-1) : undefined
  }

  #fade(): void {
    const now = this.#now()
    const elapsed = now - this.#fadedAt
    if (elapsed < FADE_EVERY_MS) return
    this.#fadedAt = now
    for (const share of this.#shares.values()) {
      share.fade(elapsed)
      if (share.isSpent) this.#shares.delete(share.name)
    }
  }
}
