// How many attempts run at once in all. Endpoints that never answer hold a connection each, and with a thousand webhooks they took
// all files that the process may open.

import { Lanes } from '../fairness/index.ts'
import type { Post } from './postWebhook.ts'

/** Begun in one turn of the event loop: a block wakes all webhooks that it concerns. */
const PER_TURN = 16
/** The part for owners who have no attempt running. */
const RESERVED = 1 / 8

/** The same with `most` at once, half of them of one owner. Others wait, and owners take turns. */
export function boundedPost(post: Post, most: number): Post {
  const reserve = Math.floor(most * RESERVED)
  const perCaller = Math.max(1, Math.floor(most / 2))
  const lanes = new Lanes({
    total: most - reserve,
    reserve,
    perCaller,
    perTurn: PER_TURN,
    waitingPerCaller: Number.POSITIVE_INFINITY,
  })
  return async (posting, signal) => {
    const { owner } = posting
    if (!lanes.tryEnter(owner)) await lanes.enter(owner, signal)
    const began = performance.now()
    try {
      return await post(posting, signal)
    } finally {
      lanes.leave(owner, { cost: 1 + performance.now() - began })
    }
  }
}
