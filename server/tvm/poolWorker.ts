// One thread of the pool, seen from outside: starting, ready, or gone. Some jobs are sent ahead, so that the thread
// need not wait for this one between two of them; they are taken back when the one at work turns out to be long.

import { Worker } from 'node:worker_threads'
import { workerEntry } from '../process/index.ts'
import type { TvmConfig } from './config.ts'
import { TvmError, TvmTimeout } from './errors.ts'
import type { FromWorker, Job, JobResult, ToWorker, WorkerSetup } from './jobs.ts'
import { progressWords } from './jobs.ts'
import type { TvmCode } from './tvmCode.ts'

// Loading takes 0.1 s compiled and some 0.5 s from sources; a thread that takes this long will not come.
const startLimitMs = 30_000
// A job that is not the one at work when its time is up is either not begun or already answered; look again soon.
const secondLookMs = 20
const lastLookMs = 10_000
// Configurations a thread holds. There is one per key block.
const keptConfigs = 4
// Jobs sent to a thread, the one at work included: enough to last while this thread is kept from the processor.
const mostJobs = 16
// A job that takes longer than this holds nobody up: those behind it go back to the queue.
const quickMs = 10

/** A job and who waits for it. The config travels beside it only if the thread has not seen it. */
export interface PendingJob {
  readonly id: number
  readonly job: Job
  readonly config: TvmConfig
  readonly timeLimitMs: number
  /** Nobody waits for it any more. */
  dropped: boolean
  resolve(result: JobResult): void
  reject(cause: TvmError): void
}

export interface PoolWorkerEvents {
  /** Has room for a job; also after each job. */
  ready(worker: PoolWorker): void
  /** These were sent and not begun; they are somebody else's again, in this order. */
  back(jobs: readonly PendingJob[]): void
  /** Ended, for whatever reason, except `stop`. The job it was at has been rejected, the others came back. */
  gone(worker: PoolWorker, cause: TvmError): void
}

export class PoolWorker {
  readonly #thread: Worker
  readonly #events: PoolWorkerEvents
  readonly #words: Int32Array
  readonly #configs: string[] = []
  #state: 'starting' | 'ready' | 'gone' = 'starting'
  /** Sent and not answered, in the order they are run. */
  #sent: PendingJob[] = []
  #turn = 0
  /** The first of them takes long. */
  #slow = false
  #timer: NodeJS.Timeout | undefined
  #memoryBytes = 0

  constructor(code: TvmCode, events: PoolWorkerEvents) {
    this.#events = events
    const progress = new SharedArrayBuffer(progressWords.count * Int32Array.BYTES_PER_ELEMENT)
    this.#words = new Int32Array(progress)
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

  get isStarting(): boolean {
    return this.#state === 'starting'
  }

  /** Jobs it has. */
  get load(): number {
    return this.#sent.length
  }

  /** Those of them that wait for the first one. */
  get sentAhead(): number {
    return this.#sent.filter(({ dropped }, i) => i > 0 && !dropped).length
  }

  get hasRoom(): boolean {
    return this.#state === 'ready' && !this.#slow && this.#sent.length < mostJobs
  }

  /** Memory of the emulator after the last job. */
  get memoryBytes(): number {
    return this.#memoryBytes
  }

  run(pending: PendingJob): void {
    this.#sent.push(pending)
    try {
      this.#announce(pending.config)
      this.#post({ kind: 'job', id: pending.id, turn: this.#turn, job: pending.job })
    } catch (cause) {
      // Something that is no plain data got past the types.
      this.#sent.pop()
      pending.reject(new TvmError('badInput', 'A run that cannot be sent to a thread', { cause }))
      queueMicrotask(() => this.#events.ready(this))
      return
    }
    if (this.#sent.length === 1) this.#watch(pending)
  }

  /** Ends the thread; jobs it has are rejected with `cause`. */
  async stop(cause: TvmError): Promise<void> {
    for (const { reject } of this.#release()) reject(cause)
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
    if (message.kind === 'ready') {
      clearTimeout(this.#timer)
      this.#state = 'ready'
    } else this.#settle(message)
    this.#events.ready(this)
  }

  #settle(message: Exclude<FromWorker, { kind: 'ready' }>): void {
    this.#memoryBytes = message.memoryBytes
    const [first] = this.#sent
    // One that was taken back had been begun all the same: it is run elsewhere too, and that answer counts.
    if (first?.id !== message.id) return
    this.#sent.shift()
    this.#slow = false
    clearTimeout(this.#timer)
    const [next] = this.#sent
    if (next !== undefined) this.#watch(next)
    if (message.kind === 'done') first.resolve(message.result)
    else first.reject(new TvmError(message.code, message.text))
  }

  /** From now on it is the one at work, or will be as soon as the thread is given a processor. */
  #watch(pending: PendingJob): void {
    const since = performance.now()
    const look = () => {
      const left = pending.timeLimitMs - (performance.now() - since)
      if (this.#isAtWork(pending)) this.#takeBack()
      if (left <= 0) this.#timeUp(pending, performance.now())
      else this.#timer = setTimeout(look, this.#slow ? left : Math.min(quickMs, left))
    }
    this.#timer = setTimeout(look, Math.min(quickMs, pending.timeLimitMs))
  }

  /** All but the one at work. */
  #takeBack(): void {
    this.#slow = true
    const rest = this.#sent.splice(1)
    if (rest.length === 0) return
    Atomics.add(this.#words, progressWords.turn, 1)
    this.#turn = Atomics.load(this.#words, progressWords.turn)
    this.#events.back(rest)
  }

  /** This thread may have been too busy to read the answer, so that the clock alone proves nothing. */
  #timeUp(pending: PendingJob, since: number): void {
    if (this.#isAtWork(pending) || performance.now() - since > lastLookMs)
      this.#leave(new TvmTimeout(pending.timeLimitMs))
    else this.#timer = setTimeout(() => this.#timeUp(pending, since), secondLookMs)
  }

  #isAtWork({ id }: PendingJob): boolean {
    return Atomics.load(this.#words, progressWords.atWork) === id
  }

  /** What it had, and nothing is answered any more. */
  #release(): PendingJob[] {
    clearTimeout(this.#timer)
    this.#state = 'gone'
    return this.#sent.splice(0)
  }

  #leave(cause: TvmError): void {
    if (this.#state === 'gone') return
    const atWork = Atomics.load(this.#words, progressWords.atWork)
    const jobs = this.#release()
    const culprit = jobs.find(({ id }) => id === atWork) ?? jobs[0]
    culprit?.reject(cause)
    void this.#thread.terminate()
    // An answer that was on its way is lost: what has none is run again.
    this.#events.back(jobs.filter((job) => job !== culprit))
    this.#events.gone(this, cause)
  }
}
