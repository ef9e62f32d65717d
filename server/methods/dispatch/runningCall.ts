// A call as its handler sees it, its time limit, and how it is counted.

import type { Caller, UsageMeter } from '../../access/index.ts'
import { ownSignal, waitOfSignal } from '../../fairness/index.ts'
import type { MethodMeter } from '../../observe/index.ts'
import { LeanAbort } from '../../process/index.ts'
import type { Call, CallOutcome, ChargedCall } from '../call.ts'
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
  readonly #pass = (): void => this.#own?.abort(this.charged.signal.reason)

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

  /** The caller has gone. */
  get isAbandoned(): boolean {
    return this.#own !== null && this.charged.signal.aborted
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

/** A method, or the name of all that are unknown. */
export interface Counted {
  readonly name: string
  readonly meter: MethodMeter
  readonly usage: UsageMeter | null
}

/** Counts a finished call: in the metrics, for the usage of the caller, and with the transport that carried it. */
export function tally(
  { name, meter, usage }: Counted,
  call: Pick<ChargedCall, 'note' | 'caller' | 'requestId'>,
  over: CallOutcome,
): void {
  const { outcome, ms, bytes } = over
  meter.done(outcome, ms, call.requestId)
  usage?.done(call.caller.keyId, name, { outcome, bytes })
  call.note?.(name, over)
}
