// Get-methods and trial runs in worker threads: first come, first served, each run under a time limit, and no run able
// to take another one with it or to hold it up while a thread is free.

import { availableParallelism } from 'node:os'
import { toBase64 } from './boc.ts'
import type { TvmConfig } from './config.ts'
import { TvmBusy, TvmError, TvmTimeout } from './errors.ts'
import type { Job, JobResult } from './jobs.ts'
import type { PendingJob } from './poolWorker.ts'
import { PoolWorker } from './poolWorker.ts'
import type { BlockContext, GetMethodResult, GetMethodRun, TransactionResult, TransactionRun } from './runs.ts'
import { defaultGasLimit } from './runs.ts'
import type { TvmCode } from './tvmCode.ts'
import { prepareTvm } from './tvmCode.ts'

export interface TvmPoolOptions {
  /** Threads; by default one less than there are cores, at least one. */
  readonly workers?: number
  /** Start all threads at once instead of when they are first needed. */
  readonly eager?: boolean
  /** Gas of a get-method that names none. */
  readonly gasLimit?: bigint
  /** Wall time of one run in milliseconds. */
  readonly timeLimitMs?: number
  /** Jobs that may wait. */
  readonly queueLimit?: number
  /** A thread whose emulator has grown beyond this is replaced after the job. */
  readonly memoryLimit?: number
  /** The emulator to use; by default the process's own, loaded the quick way if that is possible. */
  readonly code?: TvmCode
  /** Told of threads that had to be replaced: a constant text and the facts, ready for a log line. */
  readonly notice?: (text: string, facts: Readonly<Record<string, unknown>>) => void
}

export interface CallOptions {
  /** Drops the job if it still waits; one at work runs on, but nobody waits for it any more. */
  readonly signal?: AbortSignal
  readonly timeLimitMs?: number
}

export interface TvmPoolStats {
  readonly queued: number
  readonly busy: number
  readonly workers: number
}

const firstBackoffMs = 100
const longestBackoffMs = 10_000

/** Prepares the emulator (some 0.1 s, once per process); threads start when needed, or now with `eager`. */
export async function createTvmPool(options: TvmPoolOptions = {}): Promise<TvmPool> {
  return new TvmPool(options.code ?? (await prepareTvm()), options)
}

export class TvmPool {
  /** How the emulator was loaded, and why so. */
  readonly code: TvmCode
  readonly #size: number
  readonly #gasLimit: bigint
  readonly #timeLimitMs: number
  readonly #queueLimit: number
  readonly #memoryLimit: number
  readonly #eager: boolean
  readonly #notice: NonNullable<TvmPoolOptions['notice']>
  readonly #queue = new Set<PendingJob>()
  readonly #workers = new Set<PoolWorker>()
  #lastId = 0
  #failures = 0
  #backoff: NodeJS.Timeout | undefined
  #closed = false

  constructor(code: TvmCode, options: TvmPoolOptions) {
    this.code = code
    this.#size = Math.max(1, options.workers ?? availableParallelism() - 1)
    this.#gasLimit = options.gasLimit ?? defaultGasLimit
    this.#timeLimitMs = options.timeLimitMs ?? 2000
    this.#queueLimit = options.queueLimit ?? 10_000
    this.#memoryLimit = options.memoryLimit ?? 128 << 20
    this.#eager = options.eager ?? false
    this.#notice = options.notice ?? (() => undefined)
    this.#fill()
  }

  get stats(): TvmPoolStats {
    const busy = [...this.#workers].filter(({ load }) => load > 0).length
    return { queued: this.#queued(), busy, workers: this.#workers.size }
  }

  /** Rejects with TvmTimeout, TvmBusy or another TvmError; a contract that fails is an answer. */
  async runGetMethod(config: TvmConfig, run: GetMethodRun, options: CallOptions = {}): Promise<GetMethodResult> {
    const portable: GetMethodRun = {
      ...run,
      code: toBase64(run.code),
      data: toBase64(run.data),
      stack: toBase64(run.stack),
      libs: run.libs == null ? null : toBase64(run.libs),
      prevBlocks: run.prevBlocks == null ? null : toBase64(run.prevBlocks),
      gasLimit: run.gasLimit ?? this.#gasLimit,
      ...(run.randSeed === undefined ? {} : { randSeed: Uint8Array.from(run.randSeed) }),
    }
    const result = await this.#submit({ kind: 'getMethod', configHash: config.hash, run: portable }, config, options)
    if (!('stack' in result)) throw new TvmError('crashed', 'A get-method was answered with a transaction')
    return result
  }

  /** Executes a message on an account without keeping anything. Rejects as `runGetMethod` does. */
  async emulate(
    config: TvmConfig,
    block: BlockContext,
    run: TransactionRun,
    options: CallOptions = {},
  ): Promise<TransactionResult> {
    const portableBlock: BlockContext = {
      ...block,
      randSeed: Uint8Array.from(block.randSeed),
      libs: block.libs == null ? null : toBase64(block.libs),
      prevBlocks: block.prevBlocks == null ? null : toBase64(block.prevBlocks),
    }
    const portable = { ...run, shardAccount: toBase64(run.shardAccount), message: toBase64(run.message) }
    const job: Job = { kind: 'transaction', configHash: config.hash, block: portableBlock, run: portable }
    const result = await this.#submit(job, config, options)
    if (!('accepted' in result)) throw new TvmError('crashed', 'A transaction was answered with a stack')
    return result
  }

  /** Ends all threads; whatever waits is rejected with `closed`. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#backoff)
    const closed = new TvmError('closed', 'The TVM pool is closed')
    this.#rejectQueue(closed)
    const workers = [...this.#workers]
    this.#workers.clear()
    await Promise.all(workers.map((worker) => worker.stop(closed)))
  }

  #submit(job: Job, config: TvmConfig, { signal, timeLimitMs }: CallOptions): Promise<JobResult> {
    if (this.#closed) return Promise.reject(new TvmError('closed', 'The TVM pool is closed'))
    if (signal?.aborted === true) return Promise.reject(new TvmError('aborted', 'Aborted before the run'))
    if (this.#queued() >= this.#queueLimit) return Promise.reject(new TvmBusy(this.#queueLimit))
    return new Promise((resolve, reject) => {
      // Ids go round within 31 bits; 0 means "none" to the threads.
      this.#lastId = (this.#lastId % 0x7fff_ffff) + 1
      const abort = () => {
        pending.dropped = true
        this.#queue.delete(pending)
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
      const pending: PendingJob = { id: this.#lastId, job, config, timeLimitMs: limit, dropped: false, ...settled }
      signal?.addEventListener('abort', abort, { once: true })
      this.#queue.add(pending)
      this.#dispatch()
    })
  }

  #queued(): number {
    let queued = this.#queue.size
    for (const { sentAhead } of this.#workers) queued += sentAhead
    return queued
  }

  /** Whatever waits goes to the thread with the least to do, as long as one has room. */
  #dispatch(): void {
    for (const next of this.#queue) {
      const worker = this.#leastBusy()
      if (worker === null) break
      this.#queue.delete(next)
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
    if (this.#closed || this.#backoff !== undefined) return
    let starting = [...this.#workers].filter(({ isStarting }) => isStarting).length
    while (this.#workers.size < this.#size && (this.#eager || this.#queue.size > starting)) {
      this.#workers.add(
        new PoolWorker(this.code, {
          ready: (worker) => this.#onReady(worker),
          back: (jobs) => this.#onBack(jobs),
          gone: (worker, cause) => this.#onGone(worker, cause),
        }),
      )
      starting++
    }
  }

  #onReady(worker: PoolWorker): void {
    if (this.#closed) return
    this.#failures = 0
    this.#dispatch()
    if (worker.memoryBytes <= this.#memoryLimit || worker.load > 0) return
    this.#notice('TVM thread replaced: memory', { bytes: worker.memoryBytes, limit: this.#memoryLimit })
    this.#workers.delete(worker)
    void worker.stop(new TvmError('closed', 'The TVM thread is being replaced'))
    this.#fill()
  }

  /** They were there before all that wait. */
  #onBack(jobs: readonly PendingJob[]): void {
    const waiting = [...this.#queue]
    this.#queue.clear()
    for (const job of [...jobs, ...waiting]) if (!job.dropped) this.#queue.add(job)
    // Once the thread they come from is known to be slow, or gone.
    queueMicrotask(() => this.#dispatch())
  }

  #onGone(worker: PoolWorker, cause: TvmError): void {
    this.#workers.delete(worker)
    if (this.#closed) return
    this.#notice('TVM thread replaced', { cause: cause.message })
    // A run that took too long says nothing about the thread; everything else may happen again at once.
    if (cause instanceof TvmTimeout) {
      this.#fill()
      return
    }
    const delay = Math.min(longestBackoffMs, firstBackoffMs * 2 ** this.#failures)
    this.#failures++
    // With no thread left, those who wait are better told.
    if (this.#workers.size === 0 && this.#failures > 1) this.#rejectQueue(cause)
    clearTimeout(this.#backoff)
    this.#backoff = setTimeout(() => {
      this.#backoff = undefined
      this.#fill()
    }, delay)
  }

  #rejectQueue(cause: TvmError): void {
    const waiting = [...this.#queue]
    this.#queue.clear()
    for (const { reject } of waiting) reject(cause)
  }
}
