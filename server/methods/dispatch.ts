// The one way from the transports to the methods: known name, cached result, parse, charge, run, count.
// A transport passes a name, params in JSON types and a call; it gets finished JSON text or an ApiError.

import { ApiError } from '../../shared/errors.ts'
import { costOf, versionOfName } from '../../shared/method.ts'
import type { MethodSpec, Registry } from '../../shared/registry.ts'
import type { Access, UsageMeter } from '../access/index.ts'
import type { MethodMeter, Metrics } from '../observe/index.ts'
import type { Call, ChargedCall, WritingHandlers } from './call.ts'
import { type CallLanes, createCallLanes, lanesOf } from './callLanes.ts'
import { after, Charges } from './charges.ts'
import { modifiersKey } from './modifiers.ts'
import { nearestName } from './nearestName.ts'
import { cacheKey } from './resultCache.ts'
import { type Counted, tally } from './runningCall.ts'
import { type RunAnswer, type RunEntry, type RunParts, Runs } from './runs.ts'
import { type ReadSource, type SeqnoSources, Seqnos } from './seqnos.ts'
import { refusal } from './valueRefusal.ts'
import { Written } from './written.ts'

/** A call without its caller, made once for all equal calls. */
export interface Question {
  readonly name: string
  readonly params: Record<string, unknown>
  /** Null for an unknown method. */
  readonly entry: RunEntry | null
  /** Cache key of its result without modifiers; empty for uncached ones. */
  readonly key: string
}

/** Throws and rejects with ApiError only. */
export interface Dispatch {
  question(name: string, params: Record<string, unknown>): Question
  /** The cached result of an earlier call, charged and counted like any other; null without one. */
  recall(question: Question, call: ChargedCall): RunAnswer | Promise<RunAnswer> | null
  /** Runs the method unless its result is cached. */
  ask(question: Question, call: ChargedCall): RunAnswer | Promise<RunAnswer>
  /** The same for a call that will not be repeated. */
  run(name: string, params: Record<string, unknown>, call: ChargedCall): RunAnswer | Promise<RunAnswer>
  /**
   * Charges and counts a call the transport refused, or bad calls would be free. Returns the error for the caller.
   */
  refuse(name: string | null, error: ApiError, call: ChargedCall): ApiError | Promise<ApiError>
  /** The result of a call that is charged and counted already: by another process, or as a part of another call. */
  perform(name: string, params: Record<string, unknown>, call: ChargedCall): RunAnswer | Promise<RunAnswer>
  /** The error for a caller without budget, before the body is read; null for others. */
  exhausted(call: ChargedCall): ApiError | null
}

/** Another process, which runs some of the calls. */
export interface Elsewhere {
  runs(name: string, params: Record<string, unknown>): boolean
  /** Params as they came; the result as JSON text. */
  run(name: string, params: Record<string, unknown>, call: Call): Promise<string>
}

export interface DispatchParts<R extends Registry> extends RunParts {
  readonly registry: R
  /** Of all methods, but for those that run elsewhere. */
  readonly handlers: Partial<WritingHandlers<R>>
  readonly elsewhere?: Elsewhere
  readonly access: Access
  readonly metrics: Metrics
  /** Counts calls by key; absent when usage is not kept. */
  readonly usage?: UsageMeter
  /** Called for each call. */
  readonly onCall?: () => void
  readonly lanes?: CallLanes
  /** How far index and chain are; absent for methods that read neither. */
  readonly seqnos?: SeqnoSources
}

const NO_SOURCES: SeqnoSources = {
  index: { indexed: () => null, waitFor: () => Promise.resolve(false) },
  chain: () => null,
}

function sourceOf(name: string, { control }: MethodSpec): ReadSource {
  if (control === true || name.startsWith('rpc.')) return null
  return name.startsWith('v3.') ? 'index' : 'chain'
}

/** The methods of the registry by name, with what runs, counts and queues their calls. */
function entriesOf<R extends Registry>(parts: DispatchParts<R>): ReadonlyMap<string, RunEntry> {
  const { metrics, usage = null, lanes = createCallLanes(metrics) } = parts
  const entries = new Map<string, RunEntry>()
  for (const [name, spec] of Object.entries(parts.registry)) {
    entries.set(name, {
      name,
      spec,
      cost: costOf(spec),
      modified: versionOfName(name) === 'v3',
      source: sourceOf(name, spec),
      run: parts.handlers[name] as RunEntry['run'],
      meter: metrics.method(name),
      usage,
      lanes: lanesOf(name, spec, lanes),
    })
  }
  return entries
}

/** The same method, run by another process. */
const runElsewhere = (entry: RunEntry, other: Elsewhere): RunEntry => ({
  ...entry,
  run: async (params, call) => new Written(await other.run(entry.name, params, call)),
})

/** The params a handler gets, or why it gets none. */
function check({ spec }: RunEntry, params: Record<string, unknown>, call: ChargedCall) {
  const whyNot = spec.control ? call.whyNoControl : null
  if (whyNot !== null) return new ApiError('forbidden', whyNot, { reason: 'control' })
  const checked = spec.params.safeParse(params)
  return checked.success ? checked.data : refusal(checked.error, params, spec.whenMissing)
}

/** Cache key of the result for this caller. */
const keyOf = (entry: RunEntry, { key }: Question, call: ChargedCall): string =>
  entry.modified && key !== '' ? `${key}${modifiersKey(call.modifiers)}` : key

export function createDispatch<R extends Registry>(parts: DispatchParts<R>): Dispatch {
  const { access, cache, metrics, usage = null, elsewhere, onCall } = parts
  const entries = entriesOf(parts)
  const charges = new Charges({ access, usage, onCall })
  const unknown: Counted = { name: 'unknown', meter: metrics.method('unknown'), usage }
  const runs = new Runs(parts)
  const seqnos = new Seqnos(parts.seqnos ?? NO_SOURCES)

  function questionOf(name: string, params: Record<string, unknown>): Question {
    const entry = entries.get(name) ?? null
    const isCached = entry !== null && entry.spec.freshness !== 'live'
    return { name, params, entry, key: isCached ? cacheKey(name, params) : '' }
  }

  function recall(entry: RunEntry, key: string, call: ChargedCall): RunAnswer | Promise<RunAnswer> | null {
    const json = key === '' ? undefined : cache.get(entry.spec.freshness, key)
    if (json === undefined) return null
    seqnos.note(entry.source, call)
    return after(charges.chargeAnswered(entry, call), () => {
      tally(entry, call, { outcome: 'ok', ms: 0, bytes: Buffer.byteLength(json) })
      return { json, isCached: true }
    })
  }

  /** Waits for an equal call that runs already; null when there is none. It costs its caller the same. */
  function join(entry: RunEntry, key: string, call: ChargedCall): RunAnswer | Promise<RunAnswer> | null {
    const other = runs.find(key, call)
    if (other === null) return null
    return after(charges.chargeAnswered(entry, call), () => runs.join(other, call))
  }

  function start(entry: RunEntry, params: Record<string, unknown>, key: string, call: ChargedCall) {
    const started = performance.now()
    const failed = (thrown: unknown): never => {
      throw runs.failed(entry, thrown, started, call)
    }
    let known: Record<string, unknown> | ApiError
    let charging: void | Promise<void>
    try {
      known = check(entry, params, call)
      charging = charges.charge(call, entry, known instanceof ApiError ? 1 : entry.cost)
    } catch (error) {
      return failed(error)
    }
    const begin = () => {
      if (known instanceof ApiError) return failed(known)
      return elsewhere?.runs(entry.name, params) === true
        ? runs.start(runElsewhere(entry, elsewhere), { params, key, started }, call)
        : runs.start(entry, { params: known, key, started }, call)
    }
    return charging instanceof Promise ? charging.then(begin, failed) : begin()
  }

  function ask(question: Question, call: ChargedCall): RunAnswer | Promise<RunAnswer> {
    const { entry, params } = question
    if (entry === null) {
      tally(unknown, call, { outcome: 'methodNotFound', ms: 0, bytes: 0 })
      return after(charges.charge(call, unknown, 1), () => {
        const nearest = nearestName(question.name, entries.keys())
        throw new ApiError('methodNotFound', undefined, nearest === null ? {} : { nearest })
      })
    }
    return whenIndexed(entry, call, () => {
      const key = keyOf(entry, question, call)
      seqnos.note(entry.source, call)
      return recall(entry, key, call) ?? join(entry, key, call) ?? start(entry, params, key, call)
    })
  }

  /** Runs `answer` when the index has the block that the caller demands. */
  function whenIndexed<T>(entry: RunEntry, call: ChargedCall, answer: () => T | Promise<T>): T | Promise<T> {
    const started = performance.now()
    const failed = (thrown: unknown): T | Promise<T> =>
      after(charges.charge(call, entry, 1), () => {
        seqnos.note(entry.source, call)
        throw runs.failed(entry, thrown, started, call)
      })
    let wait: Promise<void> | null
    try {
      wait = seqnos.await(entry.source, call)
    } catch (error) {
      return failed(error)
    }
    return wait === null ? answer() : wait.then(answer, failed)
  }

  /** Null when the result is not cached, or the caller demands a block, which is looked at first. */
  function recallNow(question: Question, call: ChargedCall): RunAnswer | Promise<RunAnswer> | null {
    const { entry } = question
    if (entry === null || call.modifiers.minSeqno !== null) return null
    return recall(entry, keyOf(entry, question, call), call)
  }

  return {
    question: questionOf,
    recall: recallNow,
    ask,
    run: (name, params, call) => ask(questionOf(name, params), call),
    perform(name, params, call) {
      const question = questionOf(name, params)
      const { entry } = question
      if (entry === null) throw new ApiError('methodNotFound')
      const key = keyOf(entry, question, call)
      const json = key === '' ? undefined : cache.get(entry.spec.freshness, key)
      if (json !== undefined) return { json, isCached: true }
      const where = elsewhere?.runs(name, params) === true ? runElsewhere(entry, elsewhere) : entry
      const silent = { ...where, meter: UNCOUNTED, usage: null }
      const other = runs.find(key, call)
      if (other !== null) return runs.join({ ...other, entry: silent }, call)
      const checked = check(entry, params, call)
      if (checked instanceof ApiError) throw checked
      return runs.start(silent, { params: where === entry ? checked : params, key, started: performance.now() }, call)
    },
    refuse: (name, error, call) =>
      charges.refuse((name === null ? undefined : entries.get(name)) ?? unknown, error, call),
    exhausted: (call) => charges.exhausted(unknown, call),
  }
}

const UNCOUNTED: MethodMeter = { done: () => undefined }
