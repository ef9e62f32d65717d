// Limits the concurrent transactions of each caller who manages webhooks. Without it, fifty requests of one caller stand in the
// queue of the database in front of all others, and it refuses what waits there for 3 s.

import { ApiError } from '../../shared/errors.ts'
import { LaneQueueFull, Lanes } from '../fairness/index.ts'
import type { Database } from '../store/index.ts'

const LANES = { total: 8, perCaller: 2, perTurn: 4, waitingPerCaller: 1000 }

type Transact = Pick<Database, 'transaction'>

/**
 * Returns transactions for one caller, identified by its subject. They reject with ApiError `busy` when too many of them wait, and
 * when the signal aborts.
 */
export function createFairTransactions(database: Transact): (subject: string, signal: AbortSignal) => Transact {
  const lanes = new Lanes(LANES)
  const refusal = (cause: unknown): ApiError =>
    new ApiError('busy', cause instanceof LaneQueueFull ? cause.message : 'the caller is gone', {}, { cause })
  return (subject, signal) => ({
    async transaction(work, options) {
      await lanes.enter(subject, signal).catch((cause: unknown) => Promise.reject(refusal(cause)))
      const began = performance.now()
      try {
        return await database.transaction(work, options)
      } finally {
        lanes.leave(subject, { cost: 1 + performance.now() - began })
      }
    },
  })
}
