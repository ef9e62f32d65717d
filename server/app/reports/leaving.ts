// The first part of a stop: the service says that it is not ready and goes on answering, until proxies send their calls elsewhere.

import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceReadiness } from './readiness.ts'

interface Leaving {
  /** The same, or not ready from the beginning of the stop. */
  judge(state: ServiceReadiness): ServiceReadiness
  /** Begins the stop; resolves when calls should no longer come. */
  begin(): Promise<void>
}

export function createLeaving(delayMs: number): Leaving {
  let isLeaving = false
  return {
    judge: (state) =>
      isLeaving ? { ready: false, checks: { ...state.checks, process: 'stopping: calls are still answered' } } : state,
    async begin() {
      isLeaving = true
      if (delayMs > 0) await sleep(delayMs)
    },
  }
}
