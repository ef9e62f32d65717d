// Limits concurrent work on one resource: in total, per caller and kind, and how much may start in one turn of the event loop.
// The rest is queued, and goes on in the order of what callers have used.

import { FairQueue, type Used } from './fairQueue.ts'

export interface LaneLimits {
  readonly total: number
  /** Beyond those, for callers that have none: work that waits for something far ends in waves, and a newcomer would wait for one. */
  readonly reserve?: number
  readonly perCaller: number
  /** For each caller: of every kind of work, or by kind; kinds that are not listed have only the limit of the caller. */
  readonly perKind?: number | Readonly<Record<string, number>>
  /** Of all callers together, by kind. */
  readonly ofKind?: Readonly<Record<string, number>>
  /** Started in one turn of the loop: the first steps of all of them run before other events are handled. */
  readonly perTurn: number
  /**
   * Free lanes are taken by more while a turn has taken less than these milliseconds since the first: many calls take their first
   * steps in a few hundredths each, and each further turn costs as much again. By default by none.
   */
  readonly turnMs?: number
  /** By how much there are more lanes at the moment, in total and for a caller, looked up once a turn: 1 or above, by default 1. */
  readonly stretch?: () => number
  /** How many times `total` and `perCaller` a caller has while there has been no other one for some time: nobody waits for it. */
  readonly timesAlone?: number
  /** Most calls of one caller in the queue; one more is refused. */
  readonly waitingPerCaller: number
}

/** Without another caller for so many milliseconds, a caller is alone: a person who looks at pages calls more often than that. */
const ALONE_MS = 10_000

/** The queue of one caller is full. */
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
  readonly #now: () => number
  readonly #queue = new FairQueue<() => void>()
  /** By caller, then by kind. */
  readonly #runningOf = new Map<string, Map<string, number>>()
  readonly #runningOfKind = new Map<string, number>()
  #running = 0
  #begun = 0
  /** Of those, how many in one go, before any of them went on: a whole batch has not shown yet what it takes. */
  #atOnce = 0
  /** How many may have begun when the next one of the queue does, and whether that is looked at again in this turn. */
  #most: number
  #goesFurther = false
  /** When the first of this turn began. */
  #turnBegan = 0
  #armed = false
  #stretch = 1
  /** `timesAlone` or 1. */
  #times = 1
  #caller: string | null = null
  /** When one came after another one. */
  #changed = Number.NEGATIVE_INFINITY
  readonly #goesOn = (): void => {
    this.#atOnce = 0
  }
  readonly #drainFurther = (): void => {
    this.#goesFurther = false
    if (!this.#hasTime) return
    this.#most = this.#begun + this.#limits.perTurn
    this.#drain()
  }
  readonly #isNew = (subject: string): boolean => !this.#runningOf.has(subject)
  readonly #mayRun = (subject: string, kind: string): boolean => {
    const { perCaller, perKind, ofKind } = this.#limits
    if ((this.#runningOfKind.get(kind) ?? 0) >= (ofKind?.[kind] ?? Number.POSITIVE_INFINITY)) return false
    const own = this.#runningOf.get(subject)
    if (own === undefined) return true
    let running = 0
    for (const count of own.values()) running += count
    const most = (limit: number): number => limit * this.#stretch
    const ofThis = typeof perKind === 'number' ? perKind : perKind?.[kind]
    if (running >= most(perCaller) * this.#times) return false
    return ofThis === undefined || (own.get(kind) ?? 0) < most(ofThis)
  }

  constructor(limits: LaneLimits, now = (): number => performance.now()) {
    this.#limits = limits
    this.#now = now
    this.#most = limits.perTurn
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#queue.size
  }

  /** By how much there are more lanes now. */
  get stretch(): number {
    return this.#limits.stretch?.() ?? 1
  }

  /** Takes a lane when one is free for this caller; `leave` gives it back. */
  tryEnter(subject: string, kind = ''): boolean {
    this.#note(subject)
    if (!this.#armed) this.#look()
    if (!this.#hasLane(this.#isNew(subject)) || !this.#mayRun(subject, kind) || this.#queue.sizeOf(subject) > 0)
      return false
    this.#take(subject, kind)
    return true
  }

  /**
   * Resolves once a lane is this caller's. Rejects with LaneQueueFull, or with the signal's reason; a caller that was
   * rejected has no lane to leave.
   */
  enter(subject: string, signal: AbortSignal, kind = ''): Promise<void> {
    const { waitingPerCaller } = this.#limits
    this.#note(subject)
    if (this.#queue.sizeOf(subject) >= waitingPerCaller) return Promise.reject(new LaneQueueFull(waitingPerCaller))
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const begin = () => {
        signal.removeEventListener('abort', leave)
        this.#take(subject, kind)
        resolve()
      }
      const leave = () => {
        this.#queue.delete(subject, begin)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#queue.add(subject, begin, kind)
      this.#arm()
    })
  }

  /** `cost` is what the work has used, in any unit that is the same for all of them. */
  leave(subject: string, used: Used = { cost: 1 }): void {
    const { kind = '' } = used
    this.#running--
    this.#count(kind, -1)
    const own = this.#runningOf.get(subject)
    const left = (own?.get(kind) ?? 1) - 1
    if (left > 0) own?.set(kind, left)
    else own?.delete(kind)
    if (own?.size === 0) this.#runningOf.delete(subject)
    this.#queue.charge(subject, used)
    if (this.#queue.size > 0) this.#drain()
  }

  /** `isNew`: for a caller that has none. */
  #isFree(isNew: boolean): boolean {
    const { total, reserve = 0 } = this.#limits
    return this.#running < (isNew ? total + reserve : total) * this.#stretch * this.#times
  }

  get #hasTime(): boolean {
    const { turnMs = 0 } = this.#limits
    return turnMs > 0 && this.#now() - this.#turnBegan < turnMs
  }

  #hasLane(isNew: boolean): boolean {
    const { perTurn } = this.#limits
    return this.#isFree(isNew) && (this.#begun < perTurn || (this.#atOnce < perTurn && this.#hasTime))
  }

  #take(subject: string, kind: string): void {
    this.#running++
    this.#count(kind, 1)
    this.#begun++
    if (this.#atOnce++ === 0) queueMicrotask(this.#goesOn)
    const own = this.#runningOf.get(subject) ?? new Map<string, number>()
    this.#runningOf.set(subject, own.set(kind, (own.get(kind) ?? 0) + 1))
    this.#arm()
  }

  #count(kind: string, by: number): void {
    const left = (this.#runningOfKind.get(kind) ?? 0) + by
    if (left > 0) this.#runningOfKind.set(kind, left)
    else this.#runningOfKind.delete(kind)
  }

  #drain(): void {
    while (this.#begun < this.#most && this.#isFree(true)) {
      const begin = this.#queue.take(this.#isFree(false) ? this.#mayRun : this.#isNew)
      if (begin === undefined) return
      begin()
    }
    const isFree = this.#queue.size > 0 && this.#isFree(true)
    if (this.#goesFurther || !isFree || !this.#hasTime) return
    this.#goesFurther = true
    // What is taken from the queue begins later than here: its first steps are over when all promises of now are settled. A tick
    // that is scheduled outside of promises would come before them.
    queueMicrotask(() => process.nextTick(this.#drainFurther))
  }

  #look(): void {
    this.#stretch = this.stretch
    const { timesAlone = 1 } = this.#limits
    if (timesAlone > 1) this.#times = this.#now() - this.#changed < ALONE_MS ? 1 : timesAlone
  }

  #note(subject: string): void {
    if (subject === this.#caller) return
    if (this.#caller !== null) this.#changed = this.#now()
    this.#caller = subject
    this.#times = 1
  }

  /** A new turn of the loop: more may begin. */
  #arm(): void {
    if (this.#armed) return
    this.#armed = true
    this.#look()
    this.#turnBegan = this.#now()
    setImmediate(() => {
      this.#armed = false
      this.#begun = 0
      this.#most = this.#limits.perTurn
      this.#drain()
    })
  }
}
