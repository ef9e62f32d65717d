// Starts threads. A control group, or a limit of the user, may let this process have no more of them: each part goes on without, and
// those who listen are notified.

import { Worker, type WorkerOptions } from 'node:worker_threads'
import { hasCode } from './systemErrors.ts'
import type { WorkerEntry } from './workerEntry.ts'

const listeners = new Set<(cause: Error) => void>()

/** Calls back with each thread that cannot be started, until what is returned is called. */
export function onThreadRefused(listener: (cause: Error) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Null where the system refuses the thread, as it may do for some time only. Flags of this process are not for threads. */
export function startThread(entry: WorkerEntry, options: WorkerOptions): Worker | null {
  try {
    return new Worker(entry, { ...options, execArgv: [] })
  } catch (error) {
    if (!(error instanceof Error && hasCode(error, 'ERR_WORKER_INIT_FAILED'))) throw error
    for (const listener of listeners) listener(error)
    return null
  }
}
