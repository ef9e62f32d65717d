// The one way from the transports to the methods: known name, cached result, parse, charge, run, count.
// A transport passes a name, params in JSON types and a call; it gets finished JSON text or an ApiError.

import { ApiError } from '../../shared/errors.ts'
import { costOf } from '../../shared/method.ts'
import type { MethodSpec, Registry } from '../../shared/registry.ts'
import type { Access, Budget } from '../access/index.ts'
import type { Lanes } from '../fairness/index.ts'
import type { Log, MethodMeter, Metrics } from '../observe/index.ts'
import type { Call, ChargedCall, WritingHandlers } from './call.ts'
import { type CallLanes, createCallLanes, enterLane } from './callLanes.ts'
import { asChainError } from './errors.ts'
import { modifiersKey } from './modifiers.ts'
import { nearestName } from './nearest.ts'
import { refusal } from './refusal.ts'
import { cacheKey, type ResultCache } from './resultCache.ts'
import { RunningCall, withTimeout } from './runningCall.ts'
import { asReadError } from './storeErrors.ts'
import { Written } from './written.ts'

export interface Answer {
  /** The result as JSON text. */
  readonly json: string
  /** True when nothing was computed for this call. */
  readonly remembered: boolean
}

/** A call without its caller, made once for all equal calls. */
export interface Question {
  readonly name: string
  readonly params: Record<string, unknown>
  /** Null for an unknown method. */
  readonly entry: Entry | null
  /** Cache key of its result without modifiers; empty for uncached ones. */
  readonly key: string
}

/** Throws and rejects with ApiError only. */
export interface Dispatch {
  question(name: string, params: Record<string, unknown>): Question
  /** The cached result of an earlier call, charged and counted like any other; null without one. */
  recall(question: Question, call: ChargedCall): Answer | null
  /** Runs the method unless its result is cached. */
  ask(question: Question, call: ChargedCall): Answer | Promise<Answer>
  /** The same for a call that will not be repeated. */
  run(name: string, params: Record<string, unknown>, call: ChargedCall): Answer | Promise<Answer>
  /**
   * Charges and counts a call the transport refused, or bad calls would be free. Returns the error for the caller.
   */
  refuse(name: string | null, error: ApiError, call: ChargedCall): ApiError
  /** The error for a caller without budget, before the body is read; null for others. */
  exhausted(call: ChargedCall): ApiError | null
}

export interface DispatchParts<R extends Registry> {
  readonly registry: R
  readonly handlers: WritingHandlers<R>
  readonly access: Access
  readonly cache: ResultCache
  readonly log: Log
  readonly metrics: Metrics
  /** Timeout of a call. */
  readonly timeoutMs: number
  /** Called for each call. */
  readonly onCall?: () => void
  /** Check results against their schema; for tests and development, as it is slow. */
  readonly checkResults: boolean
  readonly lanes?: CallLanes
}

interface Entry {
  readonly name: string
  readonly spec: MethodSpec
  readonly cost: number
  /** Whether its result depends on the caller's modifiers. */
  readonly modified: boolean
  readonly run: (params: Record<string, unknown>, call: Call) => unknown
  readonly meter: MethodMeter
  /** Its lane; null for control methods, which wait for blocks and are the operator's own. */
  readonly lanes: Lanes | null
}

/** A call in its handler. */
interface Job {
  readonly entry: Entry
  readonly params: Record<string, unknown>
  readonly key: string
  readonly running: RunningCall
  readonly started: number
  /** Milliseconds it may take, waiting included. */
  readonly limitMs: number
  holdsLane: boolean
  /** The `moment` of the cache when its handler was started. */
  moment: number
}

export function createDispatch<R extends Registry>(parts: DispatchParts<R>): Dispatch {
  const { access, cache, log, metrics } = parts
  const entries = new Map<string, Entry>()
  const lanes = parts.lanes ?? createCallLanes(metrics)
  for (const [name, spec] of Object.entries(parts.registry)) {
    const run = parts.handlers[name] as Entry['run']
    entries.set(name, {
      name,
      spec,
      cost: costOf(spec),
      modified: name.startsWith('v3.'),
      run,
      meter: metrics.method(name),
      lanes: spec.control === true ? null : spec.freshness === 'index' ? lanes.index : lanes.chain,
    })
  }
  const unknown = metrics.method('unknown')

  function charge(call: ChargedCall, cost: number): void {
    parts.onCall?.()
    const budget = access.spend(call.caller, cost)
    call.budget = budget
    if (budget && !budget.allowed) throw limited(budget)
  }

  function finish(entry: Entry, key: string, result: unknown, began: number): Answer {
    const isText = result instanceof Written
    if (parts.checkResults) {
      const checked = entry.spec.result.safeParse(isText ? JSON.parse(result.json) : result)
      if (!checked.success) throw new Error('result does not fit its schema', { cause: checked.error })
    }
    const json = isText ? result.json : (JSON.stringify(result) as string | undefined)
    if (json === undefined) throw new Error('a handler answered with nothing')
    cache.set(entry.spec.freshness, key, json, began)
    return { json, remembered: false }
  }

  /** The error for the caller, and the one log line for it. */
  function fail(name: string, thrown: unknown, started: number, call: ChargedCall | Call): ApiError {
    const error = asCallError(thrown)
    const known = error instanceof ApiError
    const sent = known ? error : new ApiError('internal', undefined, { requestId: call.requestId }, { cause: error })
    const line = {
      method: name,
      kind: sent.kind,
      ms: Math.round(performance.now() - started),
      keyId: call.caller.keyId,
      requestId: call.requestId,
    }
    if (call instanceof RunningCall && call.isAbandoned) log.debug(line, 'call abandoned')
    else if (!known) log.error({ err: error, ...line }, 'call failed')
    else if (sent.row.http >= 500) log.warn(line, 'call failed')
    else log.debug(line, 'call refused')
    return sent
  }

  function leaveLane(job: Job): void {
    if (job.holdsLane) job.entry.lanes?.leave(job.running.caller.subject)
    job.holdsLane = false
  }

  function runNow(job: Job): unknown {
    const { entry, params, running } = job
    job.holdsLane = entry.lanes !== null
    job.moment = cache.moment
    return entry.run(params, running)
  }

  async function settle(job: Job, result: Promise<unknown>) {
    const { entry, key, running, started } = job
    try {
      const answer = finish(entry, key, await withTimeout(result, job.limitMs), job.moment)
      entry.meter.done('ok', performance.now() - started)
      return answer
    } catch (error) {
      const sent = fail(entry.name, error, started, running)
      if (sent.kind === 'timeout') running.stop(sent)
      entry.meter.done(sent.kind, performance.now() - started)
      throw sent
    } finally {
      leaveLane(job)
      running.done()
    }
  }

  function question(name: string, params: Record<string, unknown>): Question {
    const entry = entries.get(name) ?? null
    const isCached = entry !== null && entry.spec.freshness !== 'live'
    return { name, params, entry, key: isCached ? cacheKey(name, params) : '' }
  }

  /** Cache key of the result for this caller. */
  const keyOf = (entry: Entry, { key }: Question, call: ChargedCall): string =>
    entry.modified && key !== '' ? `${key}${modifiersKey(call.modifiers)}` : key

  function recall(entry: Entry, key: string, call: ChargedCall): Answer | null {
    const json = key === '' ? undefined : cache.get(entry.spec.freshness, key)
    if (json === undefined) return null
    try {
      charge(call, entry.cost)
    } catch (error) {
      entry.meter.done('rateLimited', 0)
      throw error
    }
    entry.meter.done('ok', 0)
    return { json, remembered: true }
  }

  function start(entry: Entry, params: Record<string, unknown>, key: string, call: ChargedCall) {
    const { name } = entry
    const started = performance.now()
    try {
      const whyNot = entry.spec.control ? call.whyNoControl : null
      if (whyNot !== null) {
        charge(call, 1)
        throw new ApiError('forbidden', whyNot, { reason: 'control' })
      }
      const parsed = entry.spec.params.safeParse(params)
      if (!parsed.success) {
        charge(call, 1)
        throw refusal(parsed.error, params, entry.spec.whenMissing)
      }
      charge(call, entry.cost)
      const job = newJob(entry, { params: parsed.data, key, started }, call)
      const { lanes } = entry
      if (lanes !== null && !lanes.tryEnter(call.caller.subject))
        return settle(
          job,
          enterLane(lanes, job.running).then(() => runNow(job)),
        )
      try {
        const result = runNow(job)
        if (result instanceof Promise) return settle(job, result)
        const answer = finish(entry, key, result, job.moment)
        entry.meter.done('ok', performance.now() - started)
        leaveLane(job)
        job.running.done()
        return answer
      } catch (error) {
        leaveLane(job)
        throw error
      }
    } catch (error) {
      const sent = fail(name, error, started, call)
      entry.meter.done(sent.kind, performance.now() - started)
      throw sent
    }
  }

  const newJob = (entry: Entry, known: Pick<Job, 'params' | 'key' | 'started'>, call: ChargedCall): Job => ({
    ...known,
    entry,
    running: new RunningCall(call),
    limitMs: Math.min(parts.timeoutMs, (call.deadline ?? Number.POSITIVE_INFINITY) - known.started),
    holdsLane: false,
    moment: 0,
  })

  function ask(asked: Question, call: ChargedCall): Answer | Promise<Answer> {
    const { entry, params } = asked
    if (entry === null) {
      unknown.done('methodNotFound', 0)
      charge(call, 1)
      const nearest = nearestName(asked.name, entries.keys())
      throw new ApiError('methodNotFound', undefined, nearest === null ? {} : { nearest })
    }
    const key = keyOf(entry, asked, call)
    return recall(entry, key, call) ?? start(entry, params, key, call)
  }

  return {
    question,
    recall: (asked, call) => (asked.entry === null ? null : recall(asked.entry, keyOf(asked.entry, asked, call), call)),
    ask,
    run: (name, params, call) => ask(question(name, params), call),
    refuse(name, error, call) {
      const budget = access.spend(call.caller, 1)
      call.budget = budget
      const sent = budget && !budget.allowed ? limited(budget) : error
      const meter = (name === null ? undefined : entries.get(name)?.meter) ?? unknown
      meter.done(sent.kind, 0)
      return sent
    },
    exhausted(call) {
      const budget = access.peek(call.caller)
      if (budget === null || budget.allowed) return null
      call.budget = budget
      unknown.done('rateLimited', 0)
      return limited(budget)
    },
  }
}

/** Errors of the rooms below as errors for callers. */
const asCallError = (error: unknown): unknown => asReadError(asChainError(error))

const limited = ({ tier, retryAfter }: Budget): ApiError =>
  new ApiError('rateLimited', undefined, { limit: tier.perSecond, retryAfter })
