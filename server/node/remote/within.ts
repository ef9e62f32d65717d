import type { ReadOptions } from '../chain.ts'
import { LiteError } from '../errors.ts'

/** Waits for work that others share, only as long as this caller wants to; the work goes on. Rejects with LiteError. */
export function within<T>(work: Promise<T>, { timeoutMs, signal }: ReadOptions, words: () => string): Promise<T> {
  if (signal === undefined && timeoutMs === undefined) return work
  return new Promise((resolve, reject) => {
    const leave = (): void => end(() => reject(new LiteError('cancelled', 'the query was cancelled')))
    const expire = (): void => end(() => reject(new LiteError('timeout', words())))
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs)
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
      settle()
    }
    if (signal?.aborted === true) return leave()
    signal?.addEventListener('abort', leave, { once: true })
    work.then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error)),
    )
  })
}
