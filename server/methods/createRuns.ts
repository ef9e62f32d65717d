// Runs calls that are charged, each in a lane of its caller. Equal calls in flight share one run.

import { ApiError } from '../../shared/errors.ts'
import type { MethodSpec } from '../../shared/registry.ts'
import type { Lanes } from '../fairness/index.ts'
import type { Log } from '../observe/index.ts'
import type { Call, ChargedCall } from './call.ts'
import { enterLane } from './callLanes.ts'
import { asChainError } from './chainErrors.ts'
import { FailureLog } from './failureLog.ts'
import { bytesOfLong, LONG_TEXT } from './longText.ts'
import type { ResultCache } from './resultCache.ts'
import { type Counted, RunningCall, tally, withTimeout } from './runningCall.ts'
import type { ReadSource } from './seqnos.ts'
import { asReadError } from './storeErrors.ts'
import { hasLongList, Written, writeInSlices } from './written.ts'

export interface RunAnswer {
  /** The result as JSON text. */
  readonly json: string
  /** True when nothing was computed for this call. */
  readonly isCached: boolean
}

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
}

/** A call in its handler. */
export interface RunJob {
  readonly entry: RunEntry
  readonly params: Record<string, unknown>
  readonly key: string
  readonly running: RunningCall
  readonly started: number
  /** Milliseconds it may take, waiting included. */
  readonly limitMs: number
  holdsLane: boolean
  /** The `moment` of the cache when its handler was started. */
  moment: number
  answer: Promise<RunAnswer> | null
}

export interface RunParts {
  readonly cache: ResultCache
  readonly log: Log
  /** Timeout of a call. */
  readonly timeoutMs: number
  /** Check results against their schema; for tests and development, as it is slow. */
  readonly checkResults: boolean
  /** Whether other processes have yet to drop what they cached of an earlier block; a new result waits for it. */
  readonly settled?: () => Promise<void> | null
}

export interface Runs {
  start(
    entry: RunEntry,
    known: Pick<RunJob, 'params' | 'key' | 'started'>,
    call: ChargedCall,
  ): RunAnswer | Promise<RunAnswer>
  /** An equal call that runs already, whose answer is right for this one too. */
  find(key: string, call: ChargedCall): RunJob | null
  /** The answer of that call. */
  join(other: RunJob, call: ChargedCall): Promise<RunAnswer>
  /** The error for the caller: counted and logged. */
  failed(entry: RunEntry, thrown: unknown, started: number, call: ChargedCall): ApiError
}

/** Whether the answer of a run is right for another call, and its limits are not tighter. */
type Serves<R> = (run: R, call: Pick<ChargedCall, 'modifiers'>) => boolean

/**
 * Calls whose handlers run, by their cache keys. A call that is still queued is not shared: behind the queue of a busy caller,
 * others would wait longer than for a run of their own.
 */
class SharedRuns<R extends { readonly running: RunningCall }> {
  readonly #runs = new Map<string, R>()
  readonly #serves: Serves<R>

  constructor(serves: Serves<R>) {
    this.#serves = serves
  }

  /** Of several equal ones, the one that began last. An empty key is of calls that are never shared. */
  add(key: string, run: R): void {
    if (key !== '') this.#runs.set(key, run)
  }

  find(key: string, call: Pick<ChargedCall, 'modifiers'>): R | null {
    const run = key === '' ? undefined : this.#runs.get(key)
    return run !== undefined && !run.running.isAbandoned && this.#serves(run, call) ? run : null
  }

  /** Called when it has ended. */
  delete(key: string, run: R): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key)
  }
}

export function createRuns({ cache, log, timeoutMs, checkResults, settled = () => null }: RunParts): Runs {
  const failures = new FailureLog(log)
  const shared = new SharedRuns<RunJob>(
    ({ entry, moment, running, limitMs }, call) =>
      cache.isCurrent(entry.spec.freshness, moment) &&
      limitMs >= timeoutMs &&
      running.timeoutMs >= call.modifiers.timeoutMs,
  )

  function newJob(entry: RunEntry, known: Pick<RunJob, 'params' | 'key' | 'started'>, call: ChargedCall): RunJob {
    const limitMs = limitOf(entry, call, known.started)
    const running = new RunningCall(call)
    const job: RunJob = { ...known, entry, running, limitMs, holdsLane: false, moment: 0, answer: null }
    if (entry.spec.waitMs === undefined) return job
    running.endsAt = known.started + limitMs
    running.lane = { leave: () => leaveLane(job), enter: () => enterAgain(job) }
    return job
  }

  async function enterAgain(job: RunJob): Promise<void> {
    const { lanes } = job.entry
    if (lanes === null) return
    await enterLane(lanes, job.running)
    job.holdsLane = true
  }

  const limitOf = ({ spec }: RunEntry, { deadline = Number.POSITIVE_INFINITY }: ChargedCall, started: number): number =>
    Math.min(timeoutMs + (spec.waitMs ?? 0), deadline - started)

  function finish(entry: RunEntry, key: string, result: unknown, began: number): RunAnswer {
    const isText = result instanceof Written
    if (checkResults) {
      const checked = entry.spec.result.safeParse(isText ? JSON.parse(result.json) : result)
      if (!checked.success) throw new Error('result does not fit its schema', { cause: checked.error })
    }
    const json = isText ? result.json : (JSON.stringify(result) as string | undefined)
    if (json === undefined) throw new Error('a handler answered with nothing')
    cache.set(entry.spec.freshness, key, json, began)
    return { json, isCached: false }
  }

  /** The error for the caller: counted and logged. */
  function failed(entry: RunEntry, thrown: unknown, started: number, call: ChargedCall | RunningCall): ApiError {
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
    if (call instanceof RunningCall && call.isAbandoned) log.debug(line, 'call abandoned')
    else if (!known) log.error({ err: error, ...line }, 'call failed')
    else if (sent.row.http >= 500) failures.failed(line)
    else log.debug(line, 'call refused')
    const charged = call instanceof RunningCall ? call.charged : call
    tally(entry, charged, { outcome: sent.kind, ms, bytes: 0 })
    return sent
  }

  const succeeded = ({ entry, running, started }: RunJob, bytes: number): void =>
    tally(entry, running.charged, { outcome: 'ok', ms: performance.now() - started, bytes })

  function leaveLane(job: RunJob): void {
    if (job.holdsLane) job.entry.lanes?.leave(job.running.caller.subject)
    job.holdsLane = false
  }

  function runNow(job: RunJob): unknown {
    const { entry, params, running } = job
    job.holdsLane = entry.lanes !== null
    job.moment = cache.moment
    return entry.run(params, running)
  }

  /** After a wait, in which an equal call may have been answered or have begun. */
  async function runQueued(job: RunJob): Promise<unknown> {
    const { entry, key, running } = job
    job.holdsLane = true
    const json = key === '' ? undefined : cache.get(entry.spec.freshness, key)
    if (json !== undefined) return new Written(json)
    const other = shared.find(key, running)
    const answer = other === null ? null : await answerOf(other)
    if (answer !== null) return new Written(answer.json)
    const result = runNow(job)
    if (result instanceof Promise) shared.add(key, job)
    return await result
  }

  /** The answer of a run that equal calls wait for; null when its own caller has left and it failed by that. */
  async function answerOf({ answer, running }: RunJob): Promise<RunAnswer | null> {
    try {
      return await answer
    } catch (error) {
      if (running.isAbandoned) return null
      throw error
    }
  }

  async function settle(job: RunJob, result: Promise<unknown>) {
    const { entry, key, running, started } = job
    try {
      const made = await withTimeout(result, job.limitMs)
      const shown = hasLongList(made) ? await writeInSlices(made, running.caller) : made
      const answer = finish(entry, key, shown, job.moment)
      await settled()
      succeeded(job, await bytesOf(answer, running))
      return answer
    } catch (error) {
      const sent = failed(entry, error, started, running)
      if (sent.kind === 'timeout') running.stop(sent)
      throw sent
    } finally {
      shared.delete(key, job)
      leaveLane(job)
      running.done()
    }
  }

  async function join(other: RunJob, call: ChargedCall): Promise<RunAnswer> {
    const { entry, params, key } = other
    const started = performance.now()
    let answer: RunAnswer | null
    try {
      answer = await withTimeout(answerOf(other), limitOf(entry, call, started))
    } catch (error) {
      // Otherwise the id of the other request would be reported to this caller.
      const own = error instanceof ApiError && error.kind === 'internal' ? error.cause : error
      throw failed(entry, own, started, call)
    }
    if (answer === null) return begin(newJob(entry, { params, key, started }, call))
    tally(entry, call, { outcome: 'ok', ms: performance.now() - started, bytes: await bytesOf(answer, call) })
    return { json: answer.json, isCached: true }
  }

  /** Runs a call that is charged. */
  function begin(job: RunJob): RunAnswer | Promise<RunAnswer> {
    const { entry, key, running, started } = job
    const { lanes } = entry
    if (lanes !== null && !lanes.tryEnter(running.caller.subject)) {
      job.answer = settle(
        job,
        enterLane(lanes, running).then(() => runQueued(job)),
      )
      return job.answer
    }
    try {
      const result = runNow(job)
      if (result instanceof Promise) {
        job.answer = settle(job, result)
        shared.add(key, job)
        return job.answer
      }
      const answer = finish(entry, key, result, job.moment)
      succeeded(job, Buffer.byteLength(answer.json))
      leaveLane(job)
      running.done()
      return settled()?.then(() => answer) ?? answer
    } catch (error) {
      leaveLane(job)
      throw failed(entry, error, started, running)
    }
  }

  return {
    start: (entry, known, call) => begin(newJob(entry, known, call)),
    find: (key, call) => shared.find(key, call),
    join,
    failed,
  }
}

const bytesOf = ({ json }: RunAnswer, { caller }: Pick<Call, 'caller'>): number | Promise<number> =>
  json.length > LONG_TEXT ? bytesOfLong(json, caller) : Buffer.byteLength(json)

/** Errors of the rooms below as errors for callers. */
const asCallError = (error: unknown): unknown => asReadError(asChainError(error))
