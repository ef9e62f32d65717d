// The time of the event loop, shared between callers. A piece of work runs at once while little was done in this turn of
// the loop; what comes beyond that waits for later turns, and callers are served one after the other.

import { FairQueue } from './fairQueue.ts'

export interface TurnLimits {
  /** Pieces that may run at once in one turn, and again from the queue. */
  readonly pieces: number
  /** Milliseconds after which no further item of the queue is started. */
  readonly sliceMs: number
}

/** Other callers' requests are read between two slices, so a slice is what they wait for. */
const DEFAULTS: TurnLimits = { pieces: 16, sliceMs: 4 }

export class Turns {
  readonly #limits: TurnLimits
  readonly #queue = new FairQueue<() => void>()
  #begun = 0
  #armed = false

  constructor(limits: Partial<TurnLimits> = {}) {
    this.#limits = { ...DEFAULTS, ...limits }
  }

  get waiting(): number {
    return this.#queue.size
  }

  /** Now or in a later turn. `work` must not throw. */
  run(subject: string, work: () => void): void {
    if (this.#queue.size > 0 || this.#begun >= this.#limits.pieces) this.#queue.add(subject, work)
    else {
      this.#begun++
      work()
    }
    this.#arm()
  }

  /** Resolves in a later turn, when it is this caller's. */
  next(subject: string): Promise<void> {
    return new Promise((resolve) => {
      this.#queue.add(subject, resolve)
      this.#arm()
    })
  }

  #arm(): void {
    if (this.#armed) return
    this.#armed = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#armed = false
    this.#begun = 0
    const end = performance.now() + this.#limits.sliceMs
    for (let left = this.#limits.pieces; left > 0; left--) {
      const work = this.#queue.take()
      if (work === undefined) return
      work()
      if (performance.now() >= end) break
    }
    if (this.#queue.size > 0) this.#arm()
  }
}
