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

/** Rejects with LiteError `timeout` when the time is over, and `cancelled` when a signal is aborted. */
export async function bounded<T>(
  clock: PoolClock,
  { ms, late, signals }: Bound,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController()
  const parents = signals.filter((one) => one !== undefined)
  if (parents.some(({ aborted }) => aborted)) throw gone()
  // Listeners are removed again: signals of callers live longer than one call, and end many at once.
  setMaxListeners(0, ...parents)
  const abort = (): void => end.abort()
  for (const parent of parents) parent.addEventListener('abort', abort, { once: true })
  try {
    const limit = clock.sleep(ms, end.signal).then((): never => {
      throw parents.some(({ aborted }) => aborted) ? gone() : new LiteError('timeout', late)
    })
    limit.catch(() => undefined)
    const running = run(end.signal)
    running.catch(() => undefined)
    return await Promise.race([running, limit])
  } finally {
    for (const parent of parents) parent.removeEventListener('abort', abort)
    end.abort()
  }
}
