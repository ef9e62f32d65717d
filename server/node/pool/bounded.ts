// One call with a timeout. A call that takes longer is aborted, and its result is ignored.

import { setMaxListeners } from 'node:events'
import { LiteError } from '../errors.ts'
import type { PoolClock } from './clock.ts'

export interface Bound {
  readonly ms: number
  /** What went wrong, in words, when the time is over. */
  readonly late: string
  /** Each of them ends the call. */
  readonly signals: readonly (AbortSignal | undefined)[]
}

const gone = (): LiteError => new LiteError('cancelled', 'the call was given up')

/** A reason made once: each `abort()` without one captures a stack. */
const ENDED = new Error('the call has ended')

/** Rejects with LiteError `timeout` when the time is over, and `cancelled` when a signal is aborted. */
export function bounded<T>(
  clock: Pick<PoolClock, 'after'>,
  { ms, late, signals }: Bound,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const parents = signals.filter((one) => one !== undefined)
  if (parents.some(({ aborted }) => aborted)) return Promise.reject(gone())
  // Signals of callers live longer than one call, and end many at once.
  setMaxListeners(0, ...parents)
  return new Promise((resolve, reject) => {
    const end = new AbortController()
    const dispose = (): void => {
      cancelTimer()
      for (const parent of parents) parent.removeEventListener('abort', onAbort)
    }
    const fail = (error: LiteError): void => {
      dispose()
      reject(error)
      end.abort(ENDED)
    }
    const onAbort = (): void => fail(gone())
    const cancelTimer = clock.after(ms, () => fail(new LiteError('timeout', late)))
    for (const parent of parents) parent.addEventListener('abort', onAbort, { once: true })
    run(end.signal).then(resolve, reject).finally(dispose)
  })
}
