import { ApiError } from '../../../shared/errors.ts'
import type { Caller } from '../../access/index.ts'
import {
  LaneQueueFull,
  type Lanes,
  ownSignal,
  PassingMap,
  SlicedWork,
  type Slicing,
  waitOfSignal,
} from '../../fairness/index.ts'
import { LeanAbort } from '../../process/index.ts'
import type { Call, ChargedCall } from '../call.ts'
import { timeoutAfter } from '../errors/longWait.ts'
import { type Modifiers, statementTime } from '../modifiers.ts'

/** The lane of a call. */
export interface CallLane {
  leave(): void
  /** Waits for a lane again. Rejects with ApiError. */
  enter(): Promise<void>
}

/** A call as its handler sees it: the signal also aborts at its deadline. The signal is made on first use. */
export class RunningCall implements Call {
  readonly caller: Caller
  readonly requestId: string
  endsAt = Number.POSITIVE_INFINITY
  lane: CallLane | null = null
  /** As it came from the transport. */
  readonly charged: ChargedCall
  readonly #statementMs: number
  #own: LeanAbort | null = null
  #over: Error | null = null
  #statements = 0
  #whenEnded: (() => void)[] = []
  /** Equal calls that wait for its answer: it goes on for them when its own caller has left. */
  #others = 0
  #isDone = false
  readonly #pass = (): void => {
    if (this.#others === 0 && !this.#isDone) this.#own?.abort(this.charged.signal.reason)
  }

  /** `statementMs`: what a statement may take at most; the caller may allow less. */
  constructor(call: ChargedCall, statementMs: number) {
    this.#statementMs = statementMs
    this.caller = call.caller
    this.requestId = call.requestId
    this.charged = call
  }

  get modifiers(): Modifiers {
    return this.charged.modifiers
  }

  get timeoutMs(): number {
    return statementTime(this.modifiers, this.#statementMs)
  }

  readonly onBegun = (ended: Promise<unknown>): void => {
    this.#statements++
    const end = (): void => {
      this.#statements--
      if (this.#statements === 0) for (const then of this.#whenEnded.splice(0)) then()
    }
    ended.then(end, end)
  }

  readonly outsideLane = async <T>(wait: () => Promise<T>): Promise<T> => {
    this.lane?.leave()
    const result = await wait()
    await this.lane?.enter()
    return result
  }

  leaveLane(): void {
    this.lane?.leave()
  }

  get signal(): AbortSignal {
    if (this.#own) return this.#own.signal
    this.#own = new LeanAbort()
    ownSignal(this.#own.signal, this.caller.subject)
    if (this.#over) this.#own.abort(this.#over)
    else if (this.charged.signal.aborted) this.#pass()
    else this.charged.signal.addEventListener('abort', this.#pass, { once: true })
    return this.#own.signal
  }

  /** Calls it once none of its statements runs: at once when none does. */
  whenEnded(then: () => void): void {
    if (this.#statements === 0) then()
    else this.#whenEnded.push(then)
  }

  /** Its caller has gone, and so have all who waited for it. */
  get isAbandoned(): boolean {
    return this.#own !== null && this.#others === 0 && this.charged.signal.aborted
  }

  /** Goes on for one more, until the signal of that one aborts or the function returned is called. */
  goOnFor(signal: AbortSignal): () => void {
    let waits = true
    this.#others++
    const leave = (): void => {
      if (!waits) return
      waits = false
      signal.removeEventListener('abort', leave)
      this.#others--
      if (this.charged.signal.aborted) this.#pass()
    }
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    return leave
  }

  /** Its deadline has passed: work on it may stop. */
  stop(reason: Error): void {
    this.#over = reason
    this.#own?.abort(reason)
  }

  /** What it waits for, where that is known. */
  get wait(): string | null {
    return this.#own && waitOfSignal(this.#own.signal)
  }

  /** It was answered. Removes its listener: a connection outlives its calls. */
  done(): void {
    this.#isDone = true
    if (this.#own) this.charged.signal.removeEventListener('abort', this.#pass)
  }
}

/** Rejects with ApiError `timeout` after `ms`, which names what `call` waits for; what comes of `running` later is dropped. */
export function withTimeout<T>(running: Promise<T>, call: Pick<RunningCall, 'wait'>, ms: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const limit = Math.max(0, Math.round(ms))
    const timer = setTimeout(() => reject(timeoutAfter(limit, call.wait)), limit)
    running.then(
      (result) => {
        clearTimeout(timer)
        resolve(result)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

/** Rows of a short list. */
const FEW = 20
/** Characters of a result that cost as much again as a call with next to none. */
const COSTLY = 8192
/** Milliseconds in a lane that cost as much. */
const COSTLY_MS = 10

/** Calls of one caller that share its lanes evenly: short ones wait for a few long ones only. */
export type CallKind = 'short' | 'long'

export function kindOfCall({ limit, count }: Readonly<Record<string, unknown>>): CallKind {
  const rows = limit ?? count
  return typeof rows === 'number' && rows > FEW ? 'long' : 'short'
}

/** Of the lanes of one caller: short calls have two thirds while both wait. */
const WEIGHTS: Readonly<Record<CallKind, number>> = { short: 2, long: 1 }

/** What a call has used, by what it has made and how long it held its lane: a search that finds nothing is not cheap. */
const usedBy = (kind: CallKind, length: number, ms: number) => ({
  kind,
  cost: 1 + length / COSTLY + ms / COSTLY_MS,
  weight: WEIGHTS[kind],
})

/**
 * Calls whose handlers run, by their cache keys. A call that is still queued is not shared: behind the queue of a busy caller,
 * others would wait longer than for a run of their own. `serves`: whether an answer is right for another call, and limits no tighter.
 */
export class SharedRuns<R extends { readonly running: RunningCall }> {
  readonly #runs = new PassingMap<string, R>()
  readonly #serves: (run: R, call: Pick<ChargedCall, 'modifiers'>) => boolean

  constructor(serves: (run: R, call: Pick<ChargedCall, 'modifiers'>) => boolean) {
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

/** The answer of a run that an equal call waits for, which goes on while one of those who wait is there. */
export async function sharedAnswer<A>(
  { answer, running }: { readonly answer: Promise<A> | null; readonly running: RunningCall },
  signal: AbortSignal,
): Promise<A> {
  if (answer === null) throw new Error('a run is shared before it has begun')
  const leave = running.goOnFor(signal)
  try {
    return await answer
  } catch (error) {
    // Otherwise the id of the other request would be reported to this caller.
    throw error instanceof ApiError && error.kind === 'internal' ? error.cause : error
  } finally {
    leave()
  }
}

/** Items of a list that is handled in the turn in which it came. */
const SHORT_LIST = 100

function hasLongList(params: Readonly<Record<string, unknown>>): boolean {
  for (const name in params) {
    const value = params[name]
    if (Array.isArray(value) && value.length > SHORT_LIST) return true
  }
  return false
}

/** Another turn of the event loop for a call with a long list: to read and check that took the time of this one. Null for others. */
const turnForLongList = (params: Readonly<Record<string, unknown>>, slicing: Slicing): Promise<void> | null =>
  hasLongList(params) ? new SlicedWork(slicing).ownTurn() : null

/** Waits for a lane. Rejects with ApiError. */
async function enterLane(lanes: Lanes, running: RunningCall, kind: CallKind): Promise<void> {
  try {
    await lanes.enter(running.caller.subject, running.signal, kind)
  } catch (error) {
    if (error instanceof LaneQueueFull) {
      const { limit } = error
      const text = `Too many calls wait: ${limit} of one caller at most`
      throw new ApiError('busy', text, { limit, retryAfter: 1 }, { cause: error })
    }
    throw error instanceof ApiError
      ? error
      : new ApiError('timeout', 'Timeout: the call was given up', {}, { cause: error })
  }
}

/** A call that takes lanes. */
export interface LaneJob {
  readonly entry: { readonly lanes: Lanes | null }
  readonly params: Readonly<Record<string, unknown>>
  readonly running: RunningCall
  readonly kind: CallKind
  /** Since when it holds its lane, on the clock of `performance.now()`; null without one. */
  inLaneSince: number | null
  /** Characters of its result. */
  readonly length: number
}

/** What a call waits for before it begins: a lane, or another turn of the event loop; null for one that begins now. */
export function waitToBegin(job: LaneJob): Promise<void> | null {
  const { entry, running, kind } = job
  const { lanes } = entry
  if (lanes !== null && !lanes.tryEnter(running.caller.subject, kind))
    return enterLane(lanes, running, kind).then(() => turnOf(job) ?? undefined)
  return turnOf(job)
}

/** The turn of one with a long list, for which it waits in its lane: several calls enter lanes at once. */
function turnOf(job: LaneJob): Promise<void> | null {
  const { entry, params, running } = job
  const turn = turnForLongList(params, running)
  if (turn === null) return null
  job.inLaneSince = entry.lanes && performance.now()
  return turn
}

export async function enterAgain(job: LaneJob): Promise<void> {
  const { lanes } = job.entry
  if (lanes === null) return
  await enterLane(lanes, job.running, job.kind)
  job.inLaneSince = performance.now()
}

/** Releases the lane once no SQL statement of the call is running: a statement goes on after its caller has disconnected. */
export function leaveLane(job: LaneJob): void {
  const { entry, running, inLaneSince } = job
  if (inLaneSince === null) return
  job.inLaneSince = null
  running.whenEnded(() => {
    const ms = performance.now() - inLaneSince
    entry.lanes?.leave(running.caller.subject, usedBy(job.kind, job.length, ms))
  })
}
