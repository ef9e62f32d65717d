// One thread of the pool, seen from outside: starting, ready, or gone. Some jobs are sent ahead, so that the thread
// need not wait for this one between two of them; they are taken back when the one at work turns out to be long.

import type { Worker } from 'node:worker_threads'
import { memoryPlan, type startThread, workerEntry } from '../process/index.ts'
import type { FromWorker, ToWorker, WorkerSetup } from './jobs.ts'
import { progressWords } from './jobs.ts'
import type { PendingJob } from './threadShare.ts'
import { threadMs } from './threadTime.ts'
import type { TvmCode } from './tvmCode.ts'
import type { TvmConfig } from './tvmConfig.ts'
import { TvmError, TvmTimeout } from './tvmError.ts'

// Loading takes 0.1 s compiled and some 0.5 s from sources; a thread that takes this long will not come.
const startLimitMs = 30_000
// A job that is not the running one when its time is up is either not started or already answered; check again soon.
const secondLookMs = 20
const lastLookMs = 10_000
// Configurations a thread holds. There is one per key block.
const keptConfigs = 4
// Jobs sent to a thread, the one at work included: enough to last while this thread is kept from the processor.
const mostJobs = 16
// A job that takes longer than this blocks no others: those sent after it go back to the queue.
const quickMs = 10
// A run is bounded by its processor time; by the wall it may take so many times as much, on a machine that is busy.
const wallTimes = 5

export interface PoolWorkerEvents {
  /** Has room for a job; also after each job. */
  ready(worker: PoolWorker): void
  /** The job was answered or aborted after `ms`. */
  finished(job: PendingJob, ms: number): void
  /** Sent and not started: back to the queue, in this order. */
  back(jobs: readonly PendingJob[]): void
  /** The thread has ended other than by `stop`. Its current job was rejected, the others came back. */
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
  /** What is sent at the end of this turn of the event loop. */
  #outbox: ToWorker[] = []
  #turn = 0
  /** The first of them takes long. */
  #slow = false
  /** When the first of them became the first, by the clock on the wall. */
  #since = 0
  /** The system's number of the thread; null where processor time cannot be read. */
  #number: string | null = null
  #timer: NodeJS.Timeout | undefined
  #memoryBytes = 0

  /** Null where the system lets this process have no more threads. */
  static begin(code: TvmCode, events: PoolWorkerEvents, start: typeof startThread): PoolWorker | null {
    const progress = new SharedArrayBuffer(progressWords.count * Int32Array.BYTES_PER_ELEMENT)
    const setup: WorkerSetup = { code, progress }
    const heaps = memoryPlan()
    const thread = start(workerEntry(import.meta.url, 'worker'), {
      workerData: setup,
      resourceLimits: { maxOldGenerationSizeMb: heaps.tvmHeap, maxYoungGenerationSizeMb: heaps.youngHeap },
    })
    return thread && new PoolWorker(thread, new Int32Array(progress), events)
  }

  private constructor(thread: Worker, words: Int32Array, events: PoolWorkerEvents) {
    this.#thread = thread
    this.#words = words
    this.#events = events
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
    // Nothing is sent to wait behind a job that will be slow.
    const isHeld = this.#slow || this.#sent[0]?.share.isSlow === true
    return this.#state === 'ready' && !isHeld && this.#sent.length < mostJobs
  }

  /** Memory of the emulator after the last job. */
  get memoryBytes(): number {
    return this.#memoryBytes
  }

  run(pending: PendingJob): void {
    this.#sent.push(pending)
    this.#announce(pending.config)
    this.#post({ kind: 'job', id: pending.id, turn: this.#turn, job: pending.job })
    if (this.#sent.length === 1) this.#watch(pending)
  }

  /** Ends the thread; jobs it has are rejected with `cause`. */
  async stop(cause: TvmError): Promise<void> {
    for (const job of this.#release()) {
      this.#events.finished(job, 0)
      job.reject(cause)
    }
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

  /** Together with what else comes in this turn: to wake a thread takes as long as a small run. */
  #post(message: ToWorker): void {
    if (this.#outbox.length === 0) setImmediate(this.#sendAll)
    this.#outbox.push(message)
  }

  readonly #sendAll = (): void => {
    const messages = this.#outbox
    this.#outbox = []
    if (this.#state === 'gone') return
    try {
      this.#send(messages)
    } catch {
      for (const message of messages) this.#sendAlone(message)
    }
  }

  #send(messages: readonly ToWorker[]): void {
    this.#thread.postMessage(messages)
  }

  #sendAlone(message: ToWorker): void {
    try {
      this.#send([message])
    } catch (cause) {
      if (message.kind === 'job') this.#refuse(message.id, cause)
      else if (message.kind === 'config') this.#configs.splice(this.#configs.indexOf(message.config.hash), 1)
    }
  }

  /** Something that is no plain data got past the types. */
  #refuse(id: number, cause: unknown): void {
    const at = this.#sent.findIndex((one) => one.id === id)
    const [pending] = at < 0 ? [] : this.#sent.splice(at, 1)
    if (pending === undefined) return
    if (at === 0) this.#watchNext()
    this.#events.finished(pending, 0)
    pending.reject(new TvmError('badInput', 'A run that cannot be sent to a thread', { cause }))
    this.#events.ready(this)
  }

  #hear(message: FromWorker): void {
    if (this.#state === 'gone') return
    if (message.kind === 'ready') {
      clearTimeout(this.#timer)
      this.#state = 'ready'
      this.#number = message.thread
    } else this.#settle(message)
    this.#events.ready(this)
  }

  #settle(message: Exclude<FromWorker, { kind: 'ready' }>): void {
    this.#memoryBytes = message.memoryBytes
    const [first] = this.#sent
    // The job was recalled after the thread had started it: another thread runs it too, and that answer counts.
    if (first?.id !== message.id) return
    this.#sent.shift()
    this.#watchNext()
    this.#events.finished(first, message.ms)
    if (message.kind === 'done') first.resolve(message.result)
    else first.reject(new TvmError(message.code, message.text))
  }

  /** The first of them is another one. */
  #watchNext(): void {
    this.#slow = false
    clearTimeout(this.#timer)
    const [next] = this.#sent
    if (next !== undefined) this.#watch(next)
  }

  /** From now on it is the one at work, or will be as soon as the thread is given a processor. */
  #watch(pending: PendingJob): void {
    const { timeLimitMs } = pending
    const since = performance.now()
    this.#since = since
    // Read at the first look: most jobs end before it.
    let before: number | null = null
    let isFirst = true
    const look = () => {
      const elapsed = performance.now() - since
      const now = this.#processorMs()
      if (isFirst) before = now === null ? null : now - Math.min(quickMs, elapsed)
      isFirst = false
      const used = before === null || now === null ? elapsed : now - before
      if (this.#isAtWork(pending) && !this.#slow) this.#takeBack()
      const left = Math.min(timeLimitMs - used, wallTimes * timeLimitMs - elapsed)
      if (left <= 0) this.#timeUp(pending, performance.now())
      else this.#timer = setTimeout(look, this.#slow ? left : Math.min(quickMs, left))
    }
    this.#timer = setTimeout(look, Math.min(quickMs, timeLimitMs))
  }

  #processorMs(): number | null {
    return this.#number === null ? null : threadMs(this.#number)
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

  #isAtWork({ id }: Pick<PendingJob, 'id'>): boolean {
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
    if (culprit !== undefined) {
      this.#events.finished(culprit, performance.now() - this.#since)
      culprit.reject(cause)
    }
    void this.#thread.terminate()
    // An answer in flight is lost: jobs without one are run again.
    this.#events.back(jobs.filter((job) => job !== culprit))
    this.#events.gone(this, cause)
  }
}
