// Time and chance, so that tests hold them still.

import { setTimeout as pause } from 'node:timers/promises'

export interface PoolClock {
  /** Milliseconds that only grow. */
  now(): number
  /** Resolves after so long, or at once when the signal is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls back after so long, unless the returned function is called first. Cheaper than `sleep` where it is mostly cancelled. */
  after(ms: number, callback: () => void): () => void
  /** From 0 up to 1. */
  random(): number
}

export const systemClock: PoolClock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    pause(ms, undefined, { signal }).then(
      () => undefined,
      () => undefined,
    ),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
  random: Math.random,
}
