// One call with a timeout. A call that takes longer is aborted, and its result is ignored.

import { LeanAbort, manyListeners } from '../process/index.ts'
import { LiteError } from './liteErrors.ts'
import { type Clock, systemClock } from './systemClock.ts'

export interface CallBound {
  /** Undefined: no timeout. */
  readonly ms?: number | undefined
  /** What the call rejects with at its timeout. */
  late(): LiteError
  /** Each of them ends the call. */
  readonly signals: readonly (AbortSignal | undefined)[]
  readonly clock?: Pick<Clock, 'after'>
}

const ONCE = { once: true }

const cancelled = (): LiteError => new LiteError('cancelled', 'the query was cancelled')

/** Created once: each `abort()` without a reason captures a stack. */
const ENDED = new Error('the call has ended')

/** Rejects with `late()` at the timeout, and with LiteError `cancelled` when a signal is aborted. */
export function bounded<T>(bound: CallBound, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const end = new LeanAbort()
  return boundedCall(
    bound,
    () => run(end.signal),
    () => end.abort(ENDED),
  )
}

/**
 * The same without a signal of its own, which takes a hundredth of a small read: for work that ends by itself, or by `giveUp`.
 * Once it has called `inTime`, what is left of it has as long again.
 */
export function boundedCall<T>(
  { ms, late, signals, clock = systemClock }: CallBound,
  run: (inTime: () => void) => Promise<T>,
  giveUp: () => void = () => undefined,
): Promise<T> {
  for (const parent of signals) if (parent?.aborted === true) return Promise.reject(cancelled())
  return new Promise((resolve, reject) => {
    let isOver = false
    const dispose = (): void => {
      isOver = true
      cancelTimer()
      for (const parent of signals) parent?.removeEventListener('abort', onAbort)
    }
    const fail = (error: LiteError): void => {
      dispose()
      // Before the call is aborted: what it throws then is not its result.
      reject(error)
      giveUp()
    }
    const onAbort = (): void => fail(cancelled())
    const begin = () => (ms === undefined ? () => undefined : clock.after(ms, () => fail(late())))
    let cancelTimer = begin()
    const inTime = (): void => {
      if (isOver) return
      cancelTimer()
      cancelTimer = begin()
    }
    for (const parent of signals) {
      if (parent === undefined) continue
      // Signals of callers live longer than one call, and end many at once.
      manyListeners(parent)
      parent.addEventListener('abort', onAbort, ONCE)
    }
    run(inTime).then(
      (value) => {
        dispose()
        resolve(value)
      },
      (error: unknown) => {
        dispose()
        reject(error)
      },
    )
  })
}

/** Waits for work that several callers share, up to this caller's timeout or signal; the work continues. */
export function boundedWait<T>(
  work: Promise<T>,
  { timeoutMs: ms, signal }: { readonly timeoutMs?: number | undefined; readonly signal?: AbortSignal | undefined },
  words: () => string,
): Promise<T> {
  if (ms === undefined && signal === undefined) return work
  // The caller has gone. Without this, a failure of the work would be an unhandled rejection and end the process.
  if (signal?.aborted === true) work.catch(() => undefined)
  return boundedCall({ ms, signals: [signal], late: () => new LiteError('timeout', words()) }, () => work)
}
