// The one way from the transports to the methods: known name, cached result, parse, charge, run, count.
// A transport passes a name, params in JSON types and a call; it gets finished JSON text or an ApiError.

import { ApiError } from '../../../shared/errors.ts'
import { costOf, versionOfName } from '../../../shared/method.ts'
import type { MethodSpec, Registry } from '../../../shared/registry.ts'
import type { Access, UsageMeter } from '../../access/index.ts'
import type { MethodMeter, Metrics } from '../../observe/index.ts'
import type { ChargedCall, WritingHandlers } from '../call.ts'
import { refusal } from '../errors/valueRefusal.ts'
import { modifiersKey } from '../modifiers.ts'
import { type FinishedText, type RunAnswer, sizeOfText } from '../written.ts'
import { type CallLanes, createCallLanes, lanesOf } from './callLanes.ts'
import { after, Charges, type Counted, tally } from './charges.ts'
import { type Elsewhere, type Place, type PlacedMethod, placed } from './elsewhere.ts'
import { nearestName } from './nearestName.ts'
import { cacheKey } from './resultCache.ts'
import { type RunEntry, type RunParts, Runs } from './runs.ts'
import { type ReadSource, type SeqnoSources, Seqnos } from './seqnos.ts'

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

/** A call whose result is not cached. */
interface UncachedCall {
  readonly params: Record<string, unknown>
  readonly key: string
  readonly place: Place
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
      // The cast: a handler takes what its spec parses, and the run parses before it calls.
      run: parts.handlers[name] as RunEntry['run'],
      meter: metrics.method(name),
      usage,
      lanes: lanesOf(name, spec, lanes),
    })
  }
  return entries
}

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

const UNCOUNTED: MethodMeter = { done: () => undefined }

class MethodDispatch<R extends Registry> implements Dispatch {
  readonly #entries: ReadonlyMap<string, RunEntry>
  readonly #cache: DispatchParts<R>['cache']
  readonly #elsewhere: Elsewhere | undefined
  readonly #charges: Charges
  /** All names that are no method. */
  readonly #unknown: Counted
  readonly #runs: Runs
  readonly #seqnos: Seqnos

  constructor(parts: DispatchParts<R>) {
    const { access, cache, metrics, usage = null, elsewhere, onCall } = parts
    this.#entries = entriesOf(parts)
    this.#cache = cache
    this.#elsewhere = elsewhere
    this.#charges = new Charges({ access, usage, onCall })
    this.#unknown = { name: 'unknown', meter: metrics.method('unknown'), usage }
    this.#runs = new Runs(parts)
    this.#seqnos = new Seqnos(parts.seqnos ?? NO_SOURCES)
  }

  question(name: string, params: Record<string, unknown>): Question {
    const entry = this.#entries.get(name) ?? null
    const isCached = entry !== null && entry.spec.freshness !== 'live'
    return { name, params, entry, key: isCached ? cacheKey(name, params) : '' }
  }

  /** Null when the result is not cached, or the caller demands a block, which is checked first. */
  recall(question: Question, call: ChargedCall): RunAnswer | Promise<RunAnswer> | null {
    const { entry } = question
    if (entry === null || call.modifiers.minSeqno !== null) return null
    return this.#recall(entry, keyOf(entry, question, call), call)
  }

  ask(question: Question, call: ChargedCall): RunAnswer | Promise<RunAnswer> {
    const { entry, params } = question
    if (entry === null) return this.#refuseUnknown(question, call)
    return this.#whenIndexed(entry, call, () => {
      const key = keyOf(entry, question, call)
      this.#seqnos.note(entry.source, call)
      const recalled = this.#recall(entry, key, call)
      if (recalled !== null) return recalled
      const joined = this.#join(entry, key, call)
      const uncached = { params, key, place: this.#placeOf(entry, params) }
      this.#countMiss(uncached, joined !== null)
      return joined ?? this.#start(entry, uncached, call)
    })
  }

  run(name: string, params: Record<string, unknown>, call: ChargedCall): RunAnswer | Promise<RunAnswer> {
    return this.ask(this.question(name, params), call)
  }

  perform(name: string, params: Record<string, unknown>, call: ChargedCall): RunAnswer | Promise<RunAnswer> {
    const question = this.question(name, params)
    const { entry } = question
    if (entry === null) throw new ApiError('methodNotFound')
    const key = keyOf(entry, question, call)
    const text = this.#cached(entry, key)
    if (text !== undefined) return this.#runs.recalled(entry, text)
    const other = this.#runs.find(key, call)
    const uncached = { params, key, place: this.#placeOf(entry, params) }
    this.#countMiss(uncached, other !== null)
    const { entry: where, isElsewhere } = this.#placed(entry, uncached)
    const silent = { ...where, meter: UNCOUNTED, usage: null }
    if (other !== null) return this.#runs.join({ ...other, entry: silent }, call)
    const checked = check(entry, params, call)
    if (checked instanceof ApiError) throw checked
    const known = { params: isElsewhere ? params : checked, key, started: performance.now() }
    return this.#runs.start(silent, known, call)
  }

  refuse(name: string | null, error: ApiError, call: ChargedCall): ApiError | Promise<ApiError> {
    const entry = name === null ? undefined : this.#entries.get(name)
    return this.#charges.refuse(entry ?? this.#unknown, error, call)
  }

  exhausted(call: ChargedCall): ApiError | null {
    return this.#charges.exhausted(this.#unknown, call)
  }

  #cached(entry: RunEntry, key: string): FinishedText | undefined {
    return key === '' ? undefined : this.#cache.get(entry.spec.freshness, key)
  }

  #missed(key: string): void {
    if (key !== '') this.#cache.missed()
  }

  #refuseUnknown({ name }: Question, call: ChargedCall): RunAnswer | Promise<RunAnswer> {
    return after(this.#charges.chargeWithoutRun(call, this.#unknown, 1), () => {
      tally(this.#unknown, call, { outcome: 'methodNotFound', ms: 0, bytes: 0 })
      const nearest = nearestName(name, this.#entries.keys())
      throw new ApiError('methodNotFound', undefined, nearest === null ? {} : { nearest })
    })
  }

  #recall(entry: RunEntry, key: string, call: ChargedCall): RunAnswer | Promise<RunAnswer> | null {
    const text = this.#cached(entry, key)
    if (text === undefined) return null
    this.#seqnos.note(entry.source, call)
    return after(this.#charges.chargeWithoutRun(call, entry, entry.cost), () => {
      tally(entry, call, { outcome: 'ok', ms: 0, bytes: sizeOfText(text) })
      return this.#runs.recalled(entry, text)
    })
  }

  /** Waits for an equal call that runs already; null when there is none. It costs its caller the same. */
  #join(entry: RunEntry, key: string, call: ChargedCall): RunAnswer | Promise<RunAnswer> | null {
    const other = this.#runs.find(key, call)
    if (other === null) return null
    return after(this.#charges.chargeWithoutRun(call, entry, entry.cost), () => this.#runs.join(other, call))
  }

  #start(entry: RunEntry, uncached: UncachedCall, call: ChargedCall): RunAnswer | Promise<RunAnswer> {
    const { params, key } = uncached
    const started = performance.now()
    const failed = (thrown: unknown): never => {
      throw this.#runs.failed(entry, thrown, started, call)
    }
    let known: Record<string, unknown> | ApiError
    let charging: void | Promise<void>
    try {
      known = check(entry, params, call)
      charging = this.#charges.charge(call, entry, known instanceof ApiError ? 1 : entry.cost)
    } catch (error) {
      return failed(error)
    }
    const begin = () => {
      if (known instanceof ApiError) return failed(known)
      const { entry: where, isElsewhere } = this.#placed(entry, uncached)
      return this.#runs.start(where, { params: isElsewhere ? params : known, key, started }, call)
    }
    return charging instanceof Promise ? charging.then(begin, failed) : begin()
  }

  /** The method as a call with these params runs it. */
  #placed(entry: RunEntry, { params, key, place }: UncachedCall): PlacedMethod {
    const elsewhere = this.#elsewhere
    if (elsewhere === undefined) return { entry, isElsewhere: false }
    return placed({ entry, params, place }, { elsewhere, ranHere: () => this.#missed(key) })
  }

  #placeOf(entry: RunEntry, params: Record<string, unknown>): Place {
    return this.#elsewhere?.placeOf(entry.name, params) ?? 'here'
  }

  /** What another process may run is counted where it runs. */
  #countMiss({ key, place }: UncachedCall, isJoined: boolean): void {
    if (isJoined || place === 'here') this.#missed(key)
  }

  /** Runs `answer` when the index has the block that the caller demands. */
  #whenIndexed<T>(entry: RunEntry, call: ChargedCall, answer: () => T | Promise<T>): T | Promise<T> {
    const started = performance.now()
    const failed = (thrown: unknown): T | Promise<T> =>
      after(this.#charges.chargeWithoutRun(call, entry, 1), () => {
        this.#seqnos.note(entry.source, call)
        throw this.#runs.failed(entry, thrown, started, call)
      })
    let wait: Promise<void> | null
    try {
      wait = this.#seqnos.await(entry.source, call)
    } catch (error) {
      return failed(error)
    }
    return wait === null ? answer() : wait.then(answer, failed)
  }
}

export const createDispatch = <R extends Registry>(parts: DispatchParts<R>): Dispatch => new MethodDispatch(parts)
