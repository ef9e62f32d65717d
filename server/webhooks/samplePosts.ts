// Samples that callers have posted to their webhooks. Each is a request to a host of the caller's choice: a key must not be able
// to spend its whole rate on them.

import { ApiError } from '../../shared/errors.ts'
import { Lanes } from '../fairness/index.ts'
import type { Post } from './postWebhook.ts'

/** One that finds no lane is refused: nobody should wait for a sample behind an endpoint that does not answer. */
const LANES = { total: 32, perCaller: 4, perTurn: 32, waitingPerCaller: 0 }
/** A lane is taken for at least these milliseconds: an endpoint that answers at once would get as many as the key has calls. */
const LEAST_MS = 1_000

/** Posts for a caller, known by its subject. Throws ApiError `busy` when too many are in flight, and when the caller is gone. */
export function createSamplePosts(post: Post): (subject: string, ...of: Parameters<Post>) => ReturnType<Post> {
  const lanes = new Lanes(LANES)
  return async (subject, posting, signal) => {
    if (!lanes.tryEnter(subject)) {
      const text = `too many samples are posted now: ${LANES.perCaller} of a caller at most, for a second at least`
      throw new ApiError('busy', text, { retryAfter: 1 })
    }
    const leave = (): void => lanes.leave(subject)
    const began = performance.now()
    try {
      return await post(posting, signal)
    } catch (cause) {
      throw signal.aborted ? new ApiError('busy', 'the caller is gone', {}, { cause }) : cause
    } finally {
      setTimeout(leave, Math.max(0, began + LEAST_MS - performance.now())).unref()
    }
  }
}
