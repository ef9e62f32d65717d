import { StoreError } from './errors.ts'

export const aborted = (signal: AbortSignal | undefined): StoreError =>
  new StoreError('aborted', 'Nobody waits for the answer', { cause: signal?.reason })

/** Rejects when so much time is over before the answer is there. */
export function whenLate(ms: number, answer: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => reject(new StoreError('timeout', `There was no answer within ${ms} ms`)), ms)
    const forget = () => clearTimeout(timer)
    answer.then(forget, forget)
  })
}

/** Rejects when the signal aborts before `answer` is there. */
export function whenAborted(signal: AbortSignal, answer: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(aborted(signal))
    signal.addEventListener('abort', abort, { once: true })
    const forget = () => signal.removeEventListener('abort', abort)
    answer.then(forget, forget)
  })
}
