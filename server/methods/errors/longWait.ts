// The error of a call that was not answered in time, which names what the call waited for.

import { ApiError } from '../../../shared/errors.ts'

/** What it waited for, for the log. */
export class LongWait extends Error {}

/** `wait`: what it waits for; null where that is not known. */
export function timeoutAfter(limit: number, wait: string | null): ApiError {
  const text = `Timeout: no answer within ${limit} ms`
  if (wait === null) return new ApiError('timeout', text, { limit })
  return new ApiError('timeout', `${text}: ${wait}`, { limit }, { cause: new LongWait(wait) })
}
