// Reads of what subscribers missed. A caller may have hundreds of streams that resume at once, with ten thousand blocks each: callers
// take turns, and few reads at once leave the database to calls.

import { Lanes } from '../fairness/index.ts'
import { LeanAbort } from '../process/index.ts'

const LANES = { total: 4, perCaller: 2, perTurn: 4, waitingPerCaller: Number.POSITIVE_INFINITY }

/** A read whose subscriber has gone takes its turn all the same: its caller pays for it. */
const NEVER = new LeanAbort().signal

export class MissedReads {
  readonly #lanes = new Lanes(LANES)

  async read<T>(subject: string, read: () => Promise<T>): Promise<T> {
    const lanes = this.#lanes
    if (!lanes.tryEnter(subject)) await lanes.enter(subject, NEVER)
    const began = performance.now()
    try {
      return await read()
    } finally {
      lanes.leave(subject, { cost: 1 + performance.now() - began })
    }
  }
}
