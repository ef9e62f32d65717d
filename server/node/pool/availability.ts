// Whether any server can be called, and waiting for that to change.

import { type Clock, sleepOn } from '../systemClock.ts'

/** For this long after the last server was lost, callers wait for one; later callers are refused at once. */
const PATIENCE_MS = 2_000

export class Availability {
  readonly #clock: Clock
  readonly #waiting = new Set<() => void>()
  readonly #listeners = new Set<() => void>()
  /** Since when no server can be called; null while one can. */
  #awaySince: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Until when a caller waits for a server to come back. */
  get patience(): number {
    return (this.#awaySince ?? this.#clock.now()) + PATIENCE_MS
  }

  /** Forgets how long servers were away: new ones get time to connect. */
  restart(): void {
    this.#awaySince = null
  }

  /** The state of a server has changed. */
  changed(isAnyUsable: boolean): void {
    const isLoss = !isAnyUsable && this.#awaySince === null
    this.#awaySince = isAnyUsable ? null : (this.#awaySince ?? this.#clock.now())
    for (const wake of this.#waiting) wake()
    if (isLoss) for (const listener of this.#listeners) listener()
  }

  /** Calls back when no server can be called any more, until the returned function is called. */
  onAway(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#listeners.clear()
  }

  /** Whether the state of a server changed before the deadline. */
  async change(deadline: number): Promise<boolean> {
    const left = deadline - this.#clock.now()
    if (left <= 0) return false
    const enough = new AbortController()
    let wake: () => void = () => undefined
    const changed = new Promise<boolean>((resolve) => {
      wake = () => resolve(true)
    })
    this.#waiting.add(wake)
    try {
      return await Promise.race([changed, sleepOn(this.#clock, left, enough.signal).then(() => false)])
    } finally {
      this.#waiting.delete(wake)
      enough.abort()
    }
  }
}
