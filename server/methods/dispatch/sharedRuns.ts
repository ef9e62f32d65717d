// Equal calls in flight, which share one run.

import { ApiError } from '../../../shared/errors.ts'
import { PassingMap } from '../../fairness/index.ts'
import type { ChargedCall } from '../call.ts'
import type { RunningCall } from './runningCall.ts'

/** Whether the answer of a run is right for another call, and its limits are not tighter. */
type Serves<R> = (run: R, call: Pick<ChargedCall, 'modifiers'>) => boolean

/**
 * Calls whose handlers run, by their cache keys. A call that is still queued is not shared: behind the queue of a busy caller,
 * others would wait longer than for a run of their own.
 */
export class SharedRuns<R extends { readonly running: RunningCall }> {
  readonly #runs = new PassingMap<string, R>()
  readonly #serves: Serves<R>

  constructor(serves: Serves<R>) {
    this.#serves = serves
  }

  /** Of several equal ones, the one that began last. An empty key is of calls that are never shared. */
  add(key: string, run: R): void {
    if (key !== '') this.#runs.set(key, run)
  }

  find(key: string, call: Pick<ChargedCall, 'modifiers'>): R | null {
    const run = key === '' ? undefined : this.#runs.get(key)
    return run !== undefined && !run.running.isAbandoned && this.#serves(run, call) ? run : null
  }

  /** Called when it has ended. */
  delete(key: string, run: R): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key)
  }
}

interface SharedRun<A> {
  readonly answer: Promise<A> | null
  readonly running: RunningCall
}

/** The answer of a run that an equal call waits for, which goes on while one of those who wait is there. */
export async function sharedAnswer<A>({ answer, running }: SharedRun<A>, signal: AbortSignal): Promise<A> {
  if (answer === null) throw new Error('a run is shared before it has begun')
  const leave = running.goOnFor(signal)
  try {
    return await answer
  } catch (error) {
    // Otherwise the id of the other request would be reported to this caller.
    throw error instanceof ApiError && error.kind === 'internal' ? error.cause : error
  } finally {
    leave()
  }
}
