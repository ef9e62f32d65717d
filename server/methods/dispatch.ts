// The one bridge between the doors and the methods: known name, remembered answer, parse, charge, run, count.
// A door brings a name, params already in JSON types and a call; it gets finished JSON text or an ApiError.

import { ApiError } from '../../shared/errors.ts'
import { costOf } from '../../shared/method.ts'
import type { MethodSpec, Registry } from '../../shared/registry.ts'
import type { Access, Budget } from '../access/index.ts'
import type { Log } from '../log.ts'
import type { MethodMeter, Metrics } from '../metrics.ts'
import type { Call, ChargedCall, WritingHandlers } from './call.ts'
import type { Memory } from './memory.ts'
import { modifiersKey } from './modifiers.ts'
import { refusal } from './refusal.ts'
import { RunningCall } from './runningCall.ts'
import { asReadError } from './storeErrors.ts'
import { Written } from './written.ts'

export interface Answer {
  /** The result as JSON text. */
  readonly json: string
  /** True when nothing was computed for this call. */
  readonly remembered: boolean
}

/** What is asked, made once for all calls that ask the same. */
export interface Question {
  readonly params: Record<string, unknown>
  /** Null for a method nobody knows. */
  readonly entry: Entry | null
  /** Under what its answer is remembered, but for modifiers; empty for one that is not. */
  readonly key: string
}

/** What throws or rejects, does so with nothing but ApiError. */
export interface Dispatch {
  question(name: string, params: Record<string, unknown>): Question
  /** The answer when it is still known from an earlier call, charged and counted like any other; else null. */
  recall(question: Question, call: ChargedCall): Answer | null
  /** Runs the method unless its answer is known. */
  ask(question: Question, call: ChargedCall): Answer | Promise<Answer>
  /** The same for what is asked but once. */
  run(name: string, params: Record<string, unknown>, call: ChargedCall): Answer | Promise<Answer>
  /**
   * Charges and counts a call its door refused before it could be brought here, or bad calls would be free. Gives back
   * what the caller is told.
   */
  refuse(name: string | null, error: ApiError, call: ChargedCall): ApiError
}

export interface DispatchParts<R extends Registry> {
  readonly registry: R
  readonly handlers: WritingHandlers<R>
  readonly access: Access
  readonly memory: Memory
  readonly log: Log
  readonly metrics: Metrics
  /** Longest a call may run. */
  readonly timeoutMs: number
  /** Hold results against their schema: in tests and development, for its cost. */
  readonly checkResults: boolean
}

interface Entry {
  readonly name: string
  readonly spec: MethodSpec
  readonly cost: number
  /** Whether a caller's modifiers make a difference to what it answers. */
  readonly modified: boolean
  readonly run: (params: Record<string, unknown>, call: Call) => unknown
  readonly meter: MethodMeter
}

export function createDispatch<R extends Registry>(parts: DispatchParts<R>): Dispatch {
  const { access, memory, log, metrics } = parts
  const entries = new Map<string, Entry>()
  for (const [name, spec] of Object.entries(parts.registry)) {
    const run = parts.handlers[name] as Entry['run']
    entries.set(name, {
      name,
      spec,
      cost: costOf(spec),
      modified: name.startsWith('v3.'),
      run,
      meter: metrics.method(name),
    })
  }
  const unknown = metrics.method('unknown')

  function charge(call: ChargedCall, cost: number): void {
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
    memory.set(entry.spec.freshness, key, json, began)
    return { json, remembered: false }
  }

  /** What goes out for a failure, and the one log line for it. */
  function fail(name: string, thrown: unknown, started: number, call: ChargedCall | Call): ApiError {
    const error = asReadError(thrown)
    const known = error instanceof ApiError
    const sent = known ? error : new ApiError('internal', undefined, { requestId: call.requestId }, { cause: error })
    const line = {
      method: name,
      kind: sent.kind,
      ms: Math.round(performance.now() - started),
      keyId: call.caller.keyId,
      requestId: call.requestId,
    }
    if (!known) log.error({ err: error, ...line }, 'call failed')
    else if (sent.row.http >= 500) log.warn(line, 'call failed')
    else log.debug(line, 'call refused')
    return sent
  }

  async function settle(
    name: string,
    entry: Entry,
    key: string,
    result: Promise<unknown>,
    started: number,
    running: RunningCall,
    began: number,
  ) {
    try {
      const answer = finish(entry, key, await withTimeout(result, parts.timeoutMs), began)
      entry.meter.done('ok', performance.now() - started)
      return answer
    } catch (error) {
      const sent = fail(name, error, started, running)
      if (sent.kind === 'timeout') running.stop(sent)
      entry.meter.done(sent.kind, performance.now() - started)
      throw sent
    } finally {
      running.done()
    }
  }

  function question(name: string, params: Record<string, unknown>): Question {
    const entry = entries.get(name) ?? null
    const isRemembered = entry !== null && entry.spec.freshness !== 'live'
    return { params, entry, key: isRemembered ? memoryKey(name, params) : '' }
  }

  /** Under what the answer to this caller is remembered. */
  const keyOf = (entry: Entry, { key }: Question, call: ChargedCall): string =>
    entry.modified && key !== '' ? `${key}${modifiersKey(call.modifiers)}` : key

  function recall(entry: Entry, key: string, call: ChargedCall): Answer | null {
    const json = key === '' ? undefined : memory.get(entry.spec.freshness, key)
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
      if (entry.spec.control && !call.mayControl) {
        charge(call, 1)
        throw new ApiError('forbidden', NO_CONTROL)
      }
      const parsed = entry.spec.params.safeParse(params)
      if (!parsed.success) {
        charge(call, 1)
        throw refusal(parsed.error, params, entry.spec.whenMissing)
      }
      charge(call, entry.cost)
      const { moment } = memory
      const running = new RunningCall(call)
      const result = entry.run(parsed.data, running)
      if (result instanceof Promise) return settle(name, entry, key, result, started, running, moment)
      running.done()
      const answer = finish(entry, key, result, moment)
      entry.meter.done('ok', performance.now() - started)
      return answer
    } catch (error) {
      const sent = fail(name, error, started, call)
      entry.meter.done(sent.kind, performance.now() - started)
      throw sent
    }
  }

  function ask(asked: Question, call: ChargedCall): Answer | Promise<Answer> {
    const { entry, params } = asked
    if (entry === null) {
      unknown.done('methodNotFound', 0)
      charge(call, 1)
      throw new ApiError('methodNotFound')
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
  }
}

/**
 * One text per call that means the same. Names are a schema's own, so only what stands between them and values, and
 * between texts and other JSON, has to be told apart: a text is led by its length.
 */
function memoryKey(name: string, params: Record<string, unknown>): string {
  let key = name
  for (const param in params) {
    const value = params[param]
    key += typeof value === 'string' ? ` ${param}:${value.length}:${value}` : ` ${param}=${JSON.stringify(value)}`
  }
  return key
}

const NO_CONTROL =
  'control methods are for programs on this machine; from elsewhere start with --control-token and send it as X-Control-Token'

const limited = ({ tier, retryAfter }: Budget): ApiError =>
  new ApiError('rateLimited', undefined, { limit: tier.perSecond, retryAfter })

function withTimeout<T>(running: Promise<T>, ms: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new ApiError('timeout', `Timeout: no answer within ${ms} ms`, { limit: ms })),
      ms,
    )
    running.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
