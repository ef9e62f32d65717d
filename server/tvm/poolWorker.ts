// One thread of the pool, seen from outside: starting, idle, busy with one job, or gone.

import { Worker } from 'node:worker_threads'
import { workerEntry } from '../process/index.ts'
import type { TvmConfig } from './config.ts'
import { TvmError, TvmTimeout } from './errors.ts'
import type { FromWorker, Job, JobResult, ToWorker, WorkerSetup } from './jobs.ts'
import type { TvmCode } from './tvmCode.ts'

// Loading takes 0.1 s compiled and some 0.5 s from sources; a thread that takes this long will not come.
const startLimitMs = 30_000
// A job that is not the one at work when its time is up is either not begun or already answered; look again soon.
const secondLookMs = 20
const lastLookMs = 10_000
// Configurations a thread holds. There is one per key block.
const keptConfigs = 4

/** A job and who waits for it. The config travels beside it only if the thread has not seen it. */
export interface PendingJob {
  readonly id: number
  readonly job: Job
  readonly config: TvmConfig
  readonly timeLimitMs: number
  resolve(result: JobResult): void
  reject(cause: TvmError): void
}

export interface PoolWorkerEvents {
  /** Ready for the next job; also after a job. */
  idle(worker: PoolWorker): void
  /** Ended, for whatever reason, except `stop`. A job it was at has been rejected. */
  gone(worker: PoolWorker, cause: TvmError): void
}

export class PoolWorker {
  readonly #thread: Worker
  readonly #events: PoolWorkerEvents
  readonly #atWork: Int32Array
  readonly #configs: string[] = []
  #state: 'starting' | 'idle' | 'busy' | 'gone' = 'starting'
  #current: PendingJob | undefined
  #timer: NodeJS.Timeout
  #memoryBytes = 0

  constructor(code: TvmCode, events: PoolWorkerEvents) {
    this.#events = events
    const progress = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
    this.#atWork = new Int32Array(progress)
    const setup: WorkerSetup = { code, progress }
    this.#thread = new Worker(workerEntry(import.meta.url, 'worker'), {
      workerData: setup,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    this.#thread.on('message', (message: FromWorker) => this.#hear(message))
    this.#thread.on('messageerror', (cause) => this.#leave(new TvmError('crashed', 'Unreadable answer', { cause })))
    this.#thread.on('error', (cause) =>
      this.#leave(
        new TvmError('crashed', `The TVM thread broke down: ${cause instanceof Error ? cause.message : cause}`, {
          cause,
        }),
      ),
    )
    this.#thread.on('exit', (status) => this.#leave(new TvmError('crashed', `The TVM thread ended (${status})`)))
    const late = () => this.#leave(new TvmError('crashed', 'The TVM thread did not start in time'))
    this.#timer = setTimeout(late, startLimitMs)
  }

  get state(): 'starting' | 'idle' | 'busy' | 'gone' {
    return this.#state
  }

  /** Memory of the emulator after the last job. */
  get memoryBytes(): number {
    return this.#memoryBytes
  }

  run(pending: PendingJob): void {
    this.#state = 'busy'
    this.#current = pending
    this.#timer = setTimeout(() => this.#timeUp(pending, performance.now()), pending.timeLimitMs)
    try {
      this.#announce(pending.config)
      this.#post({ kind: 'job', id: pending.id, job: pending.job })
    } catch (cause) {
      // Something that is no plain data got past the types.
      this.#finish()
      pending.reject(new TvmError('badInput', 'A run that cannot be sent to a thread', { cause }))
      queueMicrotask(() => this.#events.idle(this))
    }
  }

  /** Ends the thread; a job it is at is rejected with `cause`. */
  async stop(cause: TvmError): Promise<void> {
    this.#release(cause)
    await this.#thread.terminate()
  }

  #announce(config: TvmConfig): void {
    const known = this.#configs.indexOf(config.hash)
    if (known >= 0) this.#configs.splice(known, 1)
    else this.#post({ kind: 'config', config })
    this.#configs.push(config.hash)
    const [oldest] = this.#configs
    if (this.#configs.length <= keptConfigs || oldest === undefined) return
    this.#configs.shift()
    this.#post({ kind: 'forget', configHash: oldest })
  }

  #post(message: ToWorker): void {
    this.#thread.postMessage(message)
  }

  #hear(message: FromWorker): void {
    if (this.#state === 'gone') return
    const current = this.#current
    this.#finish()
    if (message.kind !== 'ready') this.#memoryBytes = message.memoryBytes
    if (message.kind === 'done') current?.resolve(message.result)
    if (message.kind === 'failed') current?.reject(new TvmError(message.code, message.text))
    this.#events.idle(this)
  }

  #finish(): void {
    clearTimeout(this.#timer)
    this.#current = undefined
    this.#state = 'idle'
  }

  /** This thread may have been too busy to read the answer, so that the clock alone proves nothing. */
  #timeUp(pending: PendingJob, since: number): void {
    const working = Atomics.load(this.#atWork, 0) === pending.id
    if (working || performance.now() - since > lastLookMs) this.#leave(new TvmTimeout(pending.timeLimitMs))
    else this.#timer = setTimeout(() => this.#timeUp(pending, since), secondLookMs)
  }

  #release(cause: TvmError): void {
    clearTimeout(this.#timer)
    this.#state = 'gone'
    this.#current?.reject(cause)
    this.#current = undefined
  }

  #leave(cause: TvmError): void {
    if (this.#state === 'gone') return
    this.#release(cause)
    void this.#thread.terminate()
    this.#events.gone(this, cause)
  }
}
