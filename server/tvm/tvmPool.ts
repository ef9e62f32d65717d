// Get-methods and trial runs in worker threads, each run under a time limit. Callers have shares: the next run is one of the
// caller who used the threads least, and slow runs leave a thread to the others. No run can take another one with it.

import { contractThreads, startThread } from '../process/index.ts'
import type { Job, JobResult } from './jobs.ts'
import { PoolWorker, type PoolWorkerEvents } from './poolWorker.ts'
import { getMethodJob, transactionJob } from './portable.ts'
import { RunQueue } from './runQueue.ts'
import { StartBackoff } from './startBackoff.ts'
import type { PendingJob } from './threadShare.ts'
import type { TvmCode } from './tvmCode.ts'
import { prepareTvm } from './tvmCode.ts'
import type { TvmConfig } from './tvmConfig.ts'
import { TvmError, TvmTimeout } from './tvmError.ts'
import type { BlockContext, GetMethodResult, GetMethodRun, TransactionResult, TransactionRun } from './tvmRuns.ts'
import { defaultGasLimit } from './tvmRuns.ts'

export interface TvmPoolOptions {
  /** Threads; by default `contractThreads`. */
  readonly workers?: number
  /** Start all threads at once instead of when they are first needed. */
  readonly eager?: boolean
  /** Gas of a get-method that names none. */
  readonly gasLimit?: bigint
  /** Processor time of one run in milliseconds; wall time where that cannot be read. */
  readonly timeLimitMs?: number
  /** Jobs that may wait. */
  readonly queueLimit?: number
  /** Jobs one share may have. */
  readonly shareLimit?: number
  /** A thread whose emulator has grown beyond this is replaced after the job. */
  readonly memoryLimit?: number
  /** The emulator to use; by default the process's own, loaded the quick way if that is possible. */
  readonly code?: TvmCode
  /** Called when a thread had to be replaced: a constant text and the facts, ready for a log line. */
  readonly notice?: (text: string, facts: Readonly<Record<string, unknown>>) => void
  readonly startThread?: typeof startThread
}

export interface TvmCallOptions {
  /** Whose share of the threads the run is part of; all that name none have one together. */
  readonly share?: string | undefined
  /** Drops the job if it is queued; a running one goes on, and its result is discarded. */
  readonly signal?: AbortSignal | undefined
  readonly timeLimitMs?: number
}

export interface TvmPoolStats {
  readonly queued: number
  readonly busy: number
  readonly workers: number
}

/** Where runs are made: the pool, or the share of it one caller has. */
export interface TvmRuns {
  /** Rejects with TvmTimeout, TvmBusy or another TvmError; a contract that fails is an answer. */
  runGetMethod(config: TvmConfig, run: GetMethodRun, options?: TvmCallOptions): Promise<GetMethodResult>
  /** Executes a message on an account without keeping anything. Rejects as `runGetMethod` does. */
  emulate(
    config: TvmConfig,
    block: BlockContext,
    run: TransactionRun,
    options?: TvmCallOptions,
  ): Promise<TransactionResult>
}

/** Runs that belong to no caller, and for each caller a share. */
export interface TvmShares extends TvmRuns {
  share(name: string): TvmRuns
}

/** Prepares the emulator (some 0.1 s, once per process); threads start when needed, or now with `eager`. */
export async function createTvmPool(options: TvmPoolOptions = {}): Promise<TvmPool> {
  return new TvmPool(options.code ?? (await prepareTvm()), options)
}

export class TvmPool implements TvmShares {
  /** How the emulator was loaded, and why so. */
  readonly code: TvmCode
  readonly #size: number
  readonly #gasLimit: bigint
  readonly #timeLimitMs: number
  readonly #memoryLimit: number
  readonly #eager: boolean
  readonly #notice: NonNullable<TvmPoolOptions['notice']>
  readonly #startThread: typeof startThread
  readonly #queue: RunQueue
  readonly #workers = new Set<PoolWorker>()
  readonly #events: PoolWorkerEvents = {
    ready: (worker) => this.#onReady(worker),
    finished: (job, ms) => this.#queue.finish(job, ms),
    back: (jobs) => this.#onBack(jobs),
    gone: (worker, cause) => this.#onGone(worker, cause),
  }
  #lastId = 0
  readonly #backoff = new StartBackoff(() => this.#fill())
  #closed = false

  constructor(code: TvmCode, options: TvmPoolOptions) {
    this.code = code
    this.#size = Math.max(1, options.workers ?? contractThreads())
    this.#gasLimit = options.gasLimit ?? defaultGasLimit
    this.#timeLimitMs = options.timeLimitMs ?? 2000
    this.#queue = new RunQueue({
      limit: options.queueLimit ?? 10_000,
      shareLimit: options.shareLimit ?? 2000,
      slowLimit: Math.max(1, this.#size - 1),
    })
    this.#memoryLimit = options.memoryLimit ?? 128 << 20
    this.#eager = options.eager ?? false
    this.#startThread = options.startThread ?? startThread
    this.#notice = options.notice ?? (() => undefined)
    this.#fill()
  }

  get stats(): TvmPoolStats {
    const busy = [...this.#workers].filter(({ load }) => load > 0).length
    return { queued: this.#queue.size + this.#sentAhead(), busy, workers: this.#workers.size }
  }

  /** Whether a thread would take a run at once. */
  get isReady(): boolean {
    for (const { isStarting } of this.#workers) if (!isStarting) return true
    return false
  }

  /** The pool as one caller has it: its runs wait in a queue of their own, and what they take is charged to it. */
  share(name: string): TvmRuns {
    return {
      runGetMethod: (config, run, options) => this.runGetMethod(config, run, { ...options, share: name }),
      emulate: (config, block, run, options) => this.emulate(config, block, run, { ...options, share: name }),
    }
  }

  async runGetMethod(config: TvmConfig, run: GetMethodRun, options: TvmCallOptions = {}): Promise<GetMethodResult> {
    const job = getMethodJob(config.hash, { ...run, gasLimit: run.gasLimit ?? this.#gasLimit })
    const result = await this.#submit(job, config, options)
    if (!('stack' in result)) throw new TvmError('crashed', 'A get-method was answered with a transaction')
    return result
  }

  async emulate(
    config: TvmConfig,
    block: BlockContext,
    run: TransactionRun,
    options: TvmCallOptions = {},
  ): Promise<TransactionResult> {
    const result = await this.#submit(transactionJob(config.hash, block, run), config, options)
    if (!('accepted' in result)) throw new TvmError('crashed', 'A transaction was answered with a stack')
    return result
  }

  /** Ends all threads; queued jobs are rejected with `closed`. */
  async close(): Promise<void> {
    this.#closed = true
    this.#backoff.close()
    const closed = new TvmError('closed', 'The TVM pool is closed')
    this.#queue.reject(closed)
    const workers = [...this.#workers]
    this.#workers.clear()
    await Promise.all(workers.map((worker) => worker.stop(closed)))
  }

  #submit(job: Job, config: TvmConfig, { signal, timeLimitMs, share = '' }: TvmCallOptions): Promise<JobResult> {
    if (this.#closed) return Promise.reject(new TvmError('closed', 'The TVM pool is closed'))
    if (signal?.aborted === true) return Promise.reject(new TvmError('aborted', 'Aborted before the run'))
    return new Promise((resolve, reject) => {
      // Ids go round within 31 bits; 0 means "none" to the threads.
      this.#lastId = (this.#lastId % 0x7fff_ffff) + 1
      const abort = () => {
        pending.dropped = true
        this.#queue.remove(pending)
        reject(new TvmError('aborted', 'Aborted', { cause: signal?.reason }))
      }
      const settle = <T>(next: (value: T) => void) => {
        return (value: T) => {
          signal?.removeEventListener('abort', abort)
          next(value)
        }
      }
      const limit = timeLimitMs ?? this.#timeLimitMs
      const settled = { resolve: settle(resolve), reject: settle(reject) }
      const pending: PendingJob = {
        id: this.#lastId,
        job,
        config,
        timeLimitMs: limit,
        share: this.#queue.share(share),
        dropped: false,
        ...settled,
      }
      this.#queue.add(pending, this.#sentAhead())
      signal?.addEventListener('abort', abort, { once: true })
      this.#dispatch()
    })
  }

  /** Jobs that threads have received and not started. */
  #sentAhead(): number {
    let ahead = 0
    for (const { sentAhead } of this.#workers) ahead += sentAhead
    return ahead
  }

  /** Whatever waits goes to the thread with the least to do, as long as one has room. */
  #dispatch(): void {
    for (let next = this.#queue.next(); next !== null; next = this.#queue.next()) {
      const worker = this.#leastBusy()
      // A slow run would only be taken back from behind another one; it has its turn once a thread is idle.
      if (worker === null || (next.share.isSlow && worker.load > 0)) break
      this.#queue.start(next)
      worker.run(next)
    }
    if (this.#queue.size > 0) this.#fill()
  }

  #leastBusy(): PoolWorker | null {
    let best: PoolWorker | null = null
    for (const worker of this.#workers) {
      const isFree = worker.hasRoom && worker.memoryBytes <= this.#memoryLimit
      if (isFree && (best === null || worker.load < best.load)) best = worker
    }
    return best
  }

  #fill(): void {
    if (this.#closed) return
    if (this.#backoff.isWaiting) this.#refuseWithoutThreads()
    else this.#startThreads()
  }

  #startThreads(): void {
    let starting = [...this.#workers].filter(({ isStarting }) => isStarting).length
    while (this.#workers.size < this.#size && (this.#eager || this.#queue.size > starting)) {
      const worker = PoolWorker.begin(this.code, this.#events, this.#startThread)
      if (worker === null) {
        this.#backoff.refused()
        this.#refuseWithoutThreads()
        return
      }
      this.#backoff.started()
      this.#workers.add(worker)
      starting++
    }
  }

  /** With a thread, runs wait for it. */
  #refuseWithoutThreads(): void {
    if (this.#workers.size > 0 || !this.#backoff.isRefused) return
    this.#queue.reject(new TvmError('busy', 'no thread for contracts can be started'))
  }

  #onReady(worker: PoolWorker): void {
    if (this.#closed) return
    this.#backoff.ready()
    this.#dispatch()
    if (worker.memoryBytes <= this.#memoryLimit || worker.load > 0) return
    this.#notice('TVM thread replaced: memory', { bytes: worker.memoryBytes, limit: this.#memoryLimit })
    this.#workers.delete(worker)
    void worker.stop(new TvmError('closed', 'The TVM thread is being replaced'))
    this.#backoff.ended()
    this.#fill()
  }

  #onBack(jobs: readonly PendingJob[]): void {
    this.#queue.putBack(jobs)
    // Once the thread they come from is known to be slow, or gone.
    queueMicrotask(() => this.#dispatch())
  }

  #onGone(worker: PoolWorker, cause: TvmError): void {
    this.#workers.delete(worker)
    if (this.#closed) return
    this.#notice('TVM thread replaced', { cause: cause.message })
    // A run that took too long says nothing about the thread; everything else may happen again at once.
    if (cause instanceof TvmTimeout) {
      this.#backoff.ended()
      this.#fill()
      return
    }
    this.#backoff.failed()
    // With no thread left, queued jobs are rejected.
    if (this.#workers.size === 0 && this.#backoff.isBroken) this.#queue.reject(cause)
  }
}
