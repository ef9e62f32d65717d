// Reads of what subscribers missed. A caller may have hundreds of streams that resume at once, with ten thousand blocks each: callers
// take turns, and few reads at once leave the database to calls.

import { Lanes } from '../fairness/index.ts'
import { LeanAbort } from '../process/index.ts'
import { SubscriptionRefused } from './readSubscription.ts'

const LANES = { total: 4, perCaller: 2, perTurn: 4, waitingPerCaller: Number.POSITIVE_INFINITY }

/** The queue is not left before the turn, where a read whose reader has gone is left out. One that has begun ends: its caller pays. */
const NEVER = new LeanAbort().signal

/** Readers that give up and connect again would never be served: the reads of their earlier connections would come first. */
export class ReaderLeft extends SubscriptionRefused {
  constructor() {
    super('the connection is closed')
  }
}

export class MissedReads {
  readonly #lanes = new Lanes(LANES)

  /** Throws ReaderLeft. */
  async read<T>(subject: string, read: () => Promise<T>, isGone: () => boolean): Promise<T> {
    const lanes = this.#lanes
    if (!lanes.tryEnter(subject)) await lanes.enter(subject, NEVER)
    const began = performance.now()
    try {
      if (isGone()) throw new ReaderLeft()
      return await read()
    } finally {
      lanes.leave(subject, { cost: 1 + performance.now() - began })
    }
  }
}
