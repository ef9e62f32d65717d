import { ApiError } from '../../shared/errors.ts'

/** Rejects with ApiError `timeout` after `ms`; what comes of `running` later is dropped. */
export function withTimeout<T>(running: Promise<T>, ms: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const limit = Math.max(0, Math.round(ms))
    const late = () => reject(new ApiError('timeout', `Timeout: no answer within ${limit} ms`, { limit }))
    const timer = setTimeout(late, limit)
    running.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
