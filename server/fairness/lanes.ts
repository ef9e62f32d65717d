// Limits concurrent work on one resource: in total, per caller, and how much may start in one turn of the event loop.
// The rest is queued, and callers are served in turn.

import { FairQueue } from './fairQueue.ts'

export interface LaneLimits {
  readonly total: number
  readonly perCaller: number
  /** Started in one turn of the loop: the first steps of all of them run before other events are handled. */
  readonly perTurn: number
  /** Of one caller; one more is refused. */
  readonly waitingPerCaller: number
}

/** Too much of one caller waits already. */
export class LaneQueueFull extends Error {
  readonly limit: number

  constructor(limit: number) {
    super(`too many calls of one caller wait: ${limit} at most`)
    this.name = 'LaneQueueFull'
    this.limit = limit
  }
}

export class Lanes {
  readonly #limits: LaneLimits
  readonly #queue = new FairQueue<() => void>()
  readonly #runningOf = new Map<string, number>()
  #running = 0
  #begun = 0
  #armed = false
  readonly #mayRun = (subject: string): boolean => (this.#runningOf.get(subject) ?? 0) < this.#limits.perCaller

  constructor(limits: LaneLimits) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#queue.size
  }

  /** Takes a lane when one is free for this caller; `leave` gives it back. */
  tryEnter(subject: string): boolean {
    if (!this.#hasRoom || !this.#mayRun(subject) || this.#queue.sizeOf(subject) > 0) return false
    this.#take(subject)
    return true
  }

  /**
   * Resolves once a lane is this caller's. Rejects with LaneQueueFull, or with the signal's reason; a caller that was
   * rejected has no lane to leave.
   */
  enter(subject: string, signal: AbortSignal): Promise<void> {
    const { waitingPerCaller } = this.#limits
    if (this.#queue.sizeOf(subject) >= waitingPerCaller) return Promise.reject(new LaneQueueFull(waitingPerCaller))
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const begin = () => {
        signal.removeEventListener('abort', leave)
        this.#take(subject)
        resolve()
      }
      const leave = () => {
        this.#queue.delete(subject, begin)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#queue.add(subject, begin)
      this.#arm()
    })
  }

  leave(subject: string): void {
    this.#running--
    const left = (this.#runningOf.get(subject) ?? 1) - 1
    if (left > 0) this.#runningOf.set(subject, left)
    else this.#runningOf.delete(subject)
    if (this.#queue.size > 0) this.#drain()
  }

  get #hasRoom(): boolean {
    return this.#running < this.#limits.total && this.#begun < this.#limits.perTurn
  }

  #take(subject: string): void {
    this.#running++
    this.#begun++
    this.#runningOf.set(subject, (this.#runningOf.get(subject) ?? 0) + 1)
    this.#arm()
  }

  #drain(): void {
    while (this.#hasRoom) {
      const begin = this.#queue.take(this.#mayRun)
      if (begin === undefined) return
      begin()
    }
  }

  /** A new turn of the loop: more may begin. */
  #arm(): void {
    if (this.#armed) return
    this.#armed = true
    setImmediate(() => {
      this.#armed = false
      this.#begun = 0
      this.#drain()
    })
  }
}
