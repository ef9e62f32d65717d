// One call that several callers share. Each can leave on its own; when the last one has left, the call is aborted.

import { abortReason } from './abortReason.ts'

/** One caller of a flight. */
export interface Seat<T> {
  readonly promise: Promise<T>
  /** Rejects this caller's promise with the reason and leaves the others alone. */
  leave(reason: unknown): void
  /** The newest failure that is being retried. */
  setback(): unknown
}

export interface Flight<T> {
  /** `limitMs`: after which this caller leaves; 0 for no limit. */
  join(limitMs?: number): Seat<T>
}

/** Work in flight. A callback and no AbortSignal: one of those for each of a thousand calls is most of their cost. */
export interface Work<T> {
  readonly promise: Promise<T>
  /** Called once at most: no caller is left. */
  stop(reason: unknown): void
}

/** Of the callers of a flight. */
export interface FlightCallers {
  /** Takes a failure that the work recovers from. */
  onSetback(error: unknown): void
  /** Milliseconds of the one with the most time. */
  longestMs(): number
}

export type Start<T> = (callers: FlightCallers) => Work<T>

export interface FlightOptions<T> {
  readonly start: Start<T>
  /** Called once, when no caller can join any more. */
  readonly onOver: () => void
  /** What each caller but the first is given, so that none sees what another does to its result. */
  readonly copy?: (value: T) => T
}

interface Waiter<T> {
  readonly resolve: (value: T) => void
  readonly reject: (reason: unknown) => void
  readonly limitMs: number
}

/** Starts the work at once. */
export function createFlight<T>({ start, onOver, copy = (value) => value }: FlightOptions<T>): Flight<T> {
  const waiters = new Set<Waiter<T>>()
  let setback: unknown
  let over = false

  const land = (settle: (waiter: Waiter<T>, first: boolean) => void): void => {
    if (over) return
    over = true
    onOver()
    let first = true
    for (const waiter of waiters) {
      try {
        settle(waiter, first)
      } catch (error) {
        waiter.reject(error)
      }
      first = false
    }
    waiters.clear()
  }

  const work = start({
    onSetback(error) {
      setback = error
    },
    longestMs() {
      let longest = 0
      for (const { limitMs } of waiters) longest = Math.max(longest, limitMs)
      return longest
    },
  })
  work.promise.then(
    (value) => land(({ resolve }, first) => resolve(first ? value : copy(value))),
    (error: unknown) => land(({ reject }) => reject(error)),
  )

  return {
    join(limitMs = 0) {
      let leave: (reason: unknown) => void = () => {}
      const promise = new Promise<T>((resolve, reject) => {
        const waiter = { resolve, reject, limitMs: limitMs || Number.POSITIVE_INFINITY }
        waiters.add(waiter)
        leave = (reason) => {
          if (!waiters.delete(waiter)) return
          reject(reason)
          if (waiters.size > 0) return
          over = true
          onOver()
          work.stop(reason)
        }
      })
      return { promise, leave, setback: () => setback }
    },
  }
}

/** What waits for a signal. It has one listener for all of its calls: of more than ten Node warns as of a leak. */
const waiting = new WeakMap<AbortSignal, Waiting>()

interface Waiting {
  readonly all: Set<() => void>
  readonly onAbort: () => void
}

function startWaiting(signal: AbortSignal): Waiting {
  const all = new Set<() => void>()
  const onAbort = () => {
    for (const one of [...all]) one()
  }
  signal.addEventListener('abort', onAbort)
  return { all, onAbort }
}

/** Calls when the signal aborts. Returns what takes it back. */
function whenAborted(signal: AbortSignal, run: () => void): () => void {
  const one = waiting.get(signal) ?? startWaiting(signal)
  waiting.set(signal, one)
  one.all.add(run)
  return () => {
    one.all.delete(run)
    if (one.all.size > 0 || waiting.get(signal) !== one) return
    waiting.delete(signal)
    signal.removeEventListener('abort', one.onAbort)
  }
}

/** The seat's promise, left when the signal aborts; the error is then the signal's reason. */
export function seatedUntil<T>(seat: Seat<T>, signal: AbortSignal): Promise<T> {
  const leave = () => seat.leave(abortReason(signal))
  if (signal.aborted) {
    leave()
    return seat.promise
  }
  return seat.promise.finally(whenAborted(signal, leave))
}
