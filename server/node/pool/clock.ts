// Time and chance, so that tests hold them still.

import { setTimeout as pause } from 'node:timers/promises'

export interface PoolClock {
  /** Milliseconds that only grow. */
  now(): number
  /** Resolves after so long, or at once when the signal is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
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
  random: Math.random,
}
