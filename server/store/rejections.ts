// How a caller stops waiting for an answer: the statement behind it goes on.

import { StoreError } from './storeError.ts'

export const aborted = (signal: AbortSignal | undefined): StoreError =>
  new StoreError('aborted', 'Aborted: the caller has gone', { cause: signal?.reason })

/** Rejects when the answer takes longer than that. */
export function rejectAfter(ms: number, answer: Promise<unknown>, runningBefore: () => string | null): Promise<never> {
  const lateness = (): StoreError => {
    const command = runningBefore()
    return command === null
      ? new StoreError('timeout', `No answer within ${ms} ms`)
      : new StoreError('busy', `a statement waited for ${ms} ms: the database runs ${command}`)
  }
  return new Promise((_, reject) => {
    const timer = setTimeout(() => reject(lateness()), ms)
    const cancel = () => clearTimeout(timer)
    answer.then(cancel, cancel)
  })
}

/** The answer, unless the signal aborts before it is there: one promise, where a race of two has four. */
export const unlessAborted = <T>(answer: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(aborted(signal))
    signal.addEventListener('abort', abort, { once: true })
    answer.then(
      (value) => {
        signal.removeEventListener('abort', abort)
        resolve(value)
      },
      (error: unknown) => {
        signal.removeEventListener('abort', abort)
        reject(error)
      },
    )
  })
