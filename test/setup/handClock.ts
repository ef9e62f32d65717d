// A clock that a test moves by hand.

import type { After } from '../../server/process/index.ts'

/** A clock of its own: that of the process belongs to all that runs in it. */
export class HandClock {
  readonly limits = new Set<{ at: number; callback: () => void }>()
  #now = 0
  readonly after: After = (ms, callback) => {
    const limit = { at: this.#now + ms, callback }
    this.limits.add(limit)
    return () => this.limits.delete(limit)
  }
  async advance(ms: number): Promise<void> {
    this.#now += ms
    for (const limit of this.limits) {
      if (limit.at > this.#now) continue
      this.limits.delete(limit)
      limit.callback()
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
}
