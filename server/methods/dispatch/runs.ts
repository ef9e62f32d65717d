// Runs calls that are charged, each in a lane of its caller. Equal calls in flight share one run.

import { ApiError } from '../../../shared/errors.ts'
import type { MethodSpec } from '../../../shared/registry.ts'
import type { Lanes } from '../../fairness/index.ts'
import type { Log } from '../../observe/index.ts'
import type { Call, ChargedCall } from '../call.ts'
import { asChainError } from '../errors/chainErrors.ts'
import { FailureLog } from '../errors/failureLog.ts'
import { asReadError, reasonOf } from '../errors/storeErrors.ts'
import { statementTime } from '../modifiers.ts'
import {
  answerWith,
  bytesOfAnswer,
  type FinishedText,
  isLongResult,
  lengthOfAnswer,
  type RunAnswer,
  sizeOfText,
  textOf,
  Written,
  writeInSlices,
} from '../written.ts'
import { type Counted, tally } from './charges.ts'
import type { ResultCache } from './resultCache.ts'
import {
  enterAgain,
  kindOfCall,
  type LaneJob,
  leaveLane,
  RunningCall,
  SharedRuns,
  sharedAnswer,
  waitToBegin,
  withTimeout,
} from './runningCall.ts'
import type { ReadSource } from './seqnos.ts'

/** A method of the registry. */
export interface RunEntry extends Counted {
  readonly spec: MethodSpec
  readonly cost: number
  /** Whether its result depends on the caller's modifiers. */
  readonly modified: boolean
  readonly source: ReadSource
  readonly run: (params: Record<string, unknown>, call: Call) => unknown
  /** Null for a method whose calls never wait for others. */
  readonly lanes: Lanes | null
  /** Absent where a call keeps its lane to its end. */
  readonly mayLeaveLane?: boolean
}

/** A call in its handler. */
export interface RunJob extends LaneJob {
  readonly entry: RunEntry
  readonly params: Record<string, unknown>
  readonly key: string
  readonly started: number
  /** Milliseconds it may take, waiting included. */
  readonly limitMs: number
  length: number
  /** The `moment` of the cache when its handler was started. */
  moment: number
  answer: Promise<RunAnswer> | null
}

export interface RunParts {
  readonly cache: ResultCache
  readonly log: Log
  /** Timeout of a call. */
  readonly timeoutMs: number
  /** What a statement that reads the index may take at most. */
  readonly statementMs: number
  /** Check results against their schema; for tests and development, as it is slow. */
  readonly checkResults: boolean
  /** Whether other processes have yet to drop what they cached of an earlier block; a newer answer waits for it. */
  readonly settled?: () => Promise<void> | null
}

type Known = Pick<RunJob, 'params' | 'key' | 'started'>

export class Runs {
  readonly #cache: ResultCache
  readonly #log: Log
  readonly #timeoutMs: number
  readonly #statementMs: number
  readonly #checkResults: boolean
  readonly #settled: () => Promise<void> | null
  readonly #failures: FailureLog
  readonly #shared: SharedRuns<RunJob>

  constructor({ cache, log, timeoutMs, statementMs, checkResults, settled = () => null }: RunParts) {
    this.#cache = cache
    this.#log = log
    this.#timeoutMs = timeoutMs
    this.#statementMs = statementMs
    this.#checkResults = checkResults
    this.#settled = settled
    this.#failures = new FailureLog(log)
    this.#shared = new SharedRuns<RunJob>(
      ({ entry, moment, running, limitMs }, call) =>
        cache.isCurrent(entry.spec.freshness, moment) &&
        limitMs >= timeoutMs &&
        running.timeoutMs >= statementTime(call.modifiers, statementMs),
    )
  }

  /** Runs a call that is charged. */
  start(entry: RunEntry, known: Known, call: ChargedCall): RunAnswer | Promise<RunAnswer> {
    const job = this.#newJob(entry, known, call)
    const { key, running, started } = job
    const wait = waitToBegin(job)
    if (wait !== null) {
      const queued = wait.then(() => this.#runQueued(job))
      job.answer = this.#settle(job, queued)
      return job.answer
    }
    try {
      const result = this.#runNow(job)
      if (result instanceof Promise) {
        job.answer = this.#settle(job, result)
        this.#shared.add(key, job)
        return job.answer
      }
      const answer = this.#finish(entry, key, result, job.moment)
      this.#succeeded(job, sizeOfText(textOf(answer)))
      leaveLane(job)
      running.done()
      return this.#settled()?.then(() => answer) ?? answer
    } catch (error) {
      leaveLane(job)
      running.done()
      throw this.failed(entry, error, started, running)
    }
  }

  /** A cached answer. One that changes with blocks waits until no process has an earlier one. */
  recalled({ spec }: RunEntry, text: FinishedText): RunAnswer | Promise<RunAnswer> {
    const answer = answerWith(text, true)
    return spec.freshness === 'fixed' ? answer : (this.#settled()?.then(() => answer) ?? answer)
  }

  /** An equal call that runs already, whose answer is right for this one too. */
  find(key: string, call: ChargedCall): RunJob | null {
    return this.#shared.find(key, call)
  }

  /** The answer of that call. */
  async join(other: RunJob, call: ChargedCall): Promise<RunAnswer> {
    const { entry, params, key } = other
    const started = performance.now()
    // While this call was charged, the last one who waited for that answer may have left.
    const run = other.running.isAbandoned ? this.find(key, call) : other
    if (run === null) return this.start(entry, { params, key, started }, call)
    const { running } = run
    let answer: RunAnswer
    try {
      const inTime = run.answer && withTimeout(run.answer, running, this.#limitOf(entry, call, started))
      answer = await sharedAnswer({ answer: inTime, running }, call.signal)
    } catch (error) {
      throw this.failed(entry, error, started, call, call.signal.aborted)
    }
    tally(entry, call, {
      outcome: 'ok',
      ms: performance.now() - started,
      bytes: await bytesOfAnswer(answer, call.caller),
    })
    return answerWith(textOf(answer), true)
  }

  /** The error for the caller: counted and logged. */
  failed(
    entry: RunEntry,
    thrown: unknown,
    started: number,
    call: ChargedCall | RunningCall,
    isAbandoned = call instanceof RunningCall && call.isAbandoned,
  ): ApiError {
    const error = asCallError(thrown)
    const known = error instanceof ApiError
    const sent = known ? error : new ApiError('internal', undefined, { requestId: call.requestId }, { cause: error })
    const ms = performance.now() - started
    const line = {
      method: entry.name,
      kind: sent.kind,
      ms: Math.round(ms),
      keyId: call.caller.keyId,
      requestId: call.requestId,
    }
    if (isAbandoned) this.#log.debug(line, 'call abandoned')
    else if (!known) this.#log.error({ err: error, ...line }, 'call failed')
    else if (sent.httpStatus >= 500) this.#failures.failed({ ...line, ...reasonOf(sent) })
    else this.#log.debug(line, 'call refused')
    const charged = call instanceof RunningCall ? call.charged : call
    tally(entry, charged, { outcome: isAbandoned ? 'abandoned' : sent.kind, ms, bytes: 0 })
    return sent
  }

  #newJob(entry: RunEntry, known: Known, call: ChargedCall): RunJob {
    const limitMs = this.#limitOf(entry, call, known.started)
    const running = new RunningCall(call, this.#statementMs)
    // One literal: to copy an object into another is slow, a fiftieth of a small read.
    const { params, key, started } = known
    const job: RunJob = {
      params,
      key,
      started,
      entry,
      running,
      limitMs,
      kind: kindOfCall(params),
      inLaneSince: null,
      length: 0,
      moment: 0,
      answer: null,
    }
    running.endsAt = started + limitMs
    if (entry.spec.waitMs !== undefined || entry.mayLeaveLane === true)
      running.lane = { leave: () => leaveLane(job), enter: () => enterAgain(job) }
    return job
  }

  #limitOf({ spec }: RunEntry, { deadline = Number.POSITIVE_INFINITY }: ChargedCall, started: number): number {
    return Math.min(this.#timeoutMs + (spec.waitMs ?? 0), deadline - started)
  }

  #runNow(job: RunJob): unknown {
    const { entry, params, running } = job
    job.inLaneSince = entry.lanes === null ? null : (job.inLaneSince ?? performance.now())
    job.moment = this.#cache.moment
    return entry.run(params, running)
  }

  /** After a wait, in which an equal call may have been answered or have begun. */
  async #runQueued(job: RunJob): Promise<unknown> {
    const { entry, key, running } = job
    job.inLaneSince = performance.now()
    const text = key === '' ? undefined : this.#cache.get(entry.spec.freshness, key)
    if (text !== undefined) return new Written(text)
    const other = this.#shared.find(key, running)
    if (other !== null) return new Written(textOf(await sharedAnswer(other, running.signal)))
    const result = this.#runNow(job)
    if (result instanceof Promise) this.#shared.add(key, job)
    return await result
  }

  async #settle(job: RunJob, result: Promise<unknown>): Promise<RunAnswer> {
    const { entry, key, running, started } = job
    try {
      const made = await withTimeout(result, running, job.limitMs)
      const shown = isLongResult(made) ? await writeInSlices(made, running) : made
      const answer = this.#finish(entry, key, shown, job.moment)
      job.length = lengthOfAnswer(answer)
      const dropped = this.#settled()
      if (dropped !== null) await dropped
      const bytes = bytesOfAnswer(answer, running.caller)
      this.#succeeded(job, typeof bytes === 'number' ? bytes : await bytes)
      return answer
    } catch (error) {
      const sent = this.failed(entry, error, started, running)
      if (sent.kind === 'timeout') running.stop(sent)
      throw sent
    } finally {
      this.#shared.delete(key, job)
      leaveLane(job)
      running.done()
    }
  }

  /** The result as text, cached. */
  #finish(entry: RunEntry, key: string, result: unknown, began: number): RunAnswer {
    const isText = result instanceof Written
    if (this.#checkResults) {
      const checked = entry.spec.result.safeParse(isText ? JSON.parse(result.json) : result)
      if (!checked.success) throw new Error('result does not fit its schema', { cause: checked.error })
    }
    const text: FinishedText | undefined = isText ? result.text : JSON.stringify(result)
    if (text === undefined) throw new Error('a handler answered with nothing')
    this.#cache.set(entry.spec.freshness, key, text, began)
    return answerWith(text, false)
  }

  #succeeded({ entry, running, started }: RunJob, bytes: number): void {
    tally(entry, running.charged, { outcome: 'ok', ms: performance.now() - started, bytes })
  }
}

/** Errors of the rooms below as errors for callers. */
const asCallError = (error: unknown): unknown => asReadError(asChainError(error))
