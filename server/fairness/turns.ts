// The time of the event loop, shared between callers. A piece of work runs at once while little was done in this turn of
// the loop; what comes beyond that waits for later turns, and callers have the same time each.

import { FairQueue } from './fairQueue.ts'

export interface TurnLimits {
  /** Pieces that may run at once in one turn, and again from the queue. */
  readonly pieces: number
  /** Milliseconds after which no further piece is started in a turn. */
  readonly sliceMs: number
}

/** Other callers' requests are read between two slices, so a slice is what they wait for. */
const DEFAULTS: TurnLimits = { pieces: 16, sliceMs: 4 }

interface Piece {
  readonly subject: string
  readonly work: () => void
  /** Null for what the work takes. */
  readonly cost: number | null
}

export class Turns {
  readonly #limits: TurnLimits
  readonly #queue = new FairQueue<Piece>()
  #begun = 0
  /** When the slice of this turn is over. */
  #end = 0
  #armed = false

  constructor(limits: Partial<TurnLimits> = {}) {
    this.#limits = { ...DEFAULTS, ...limits }
  }

  get waiting(): number {
    return this.#queue.size
  }

  /** Now or in a later turn. `work` must not throw. */
  run(subject: string, work: () => void): void {
    if (!this.tryRun(work)) this.add(subject, work)
  }

  /** Runs it now, or returns false when its turn would be a later one. */
  tryRun(work: () => void): boolean {
    if (this.#queue.size > 0 || this.#begun >= this.#limits.pieces || !this.#hasTime()) return false
    this.#begun++
    this.#arm()
    work()
    return true
  }

  /** In a later turn. */
  add(subject: string, work: () => void, cost: number | null = null): void {
    this.#queue.add(subject, { subject, work, cost })
    this.#arm()
  }

  /** The slice begins with the first piece of a turn, which always runs. */
  #hasTime(): boolean {
    const now = performance.now()
    if (this.#begun > 0) return now < this.#end
    this.#end = now + this.#limits.sliceMs
    return true
  }

  /**
   * Resolves in a later turn, when it is this caller's. What goes on after it is not measured: `cost` is for work that takes
   * as much each time. The time of the call alone is some microseconds, and milliseconds when the process was interrupted,
   * which a caller would wait for thousands of turns.
   */
  next(subject: string, cost: number | null = null): Promise<void> {
    return new Promise((resolve) => this.add(subject, resolve, cost))
  }

  #arm(): void {
    if (this.#armed) return
    this.#armed = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#armed = false
    this.#begun = 0
    let now = performance.now()
    const end = now + this.#limits.sliceMs
    for (let left = this.#limits.pieces; left > 0; left--) {
      const piece = this.#queue.take()
      if (piece === undefined) return
      const began = now
      piece.work()
      now = performance.now()
      this.#queue.charge(piece.subject, { cost: piece.cost ?? now - began })
      if (now >= end) break
    }
    if (this.#queue.size > 0) this.#arm()
  }
}
