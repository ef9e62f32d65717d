// Time and timers of connections and pools; tests bring their own.

import { afterReading } from '../process/index.ts'

export interface Clock {
  /** Milliseconds that only grow. */
  now(): number
  /** Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after: afterReading,
}

/** Resolves after so long, or at once when the signal is aborted. Never rejects. */
export function sleepOn(clock: Pick<Clock, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const end = (): void => {
      cancel()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.after(ms, end)
    signal?.addEventListener('abort', end, { once: true })
  })
}
