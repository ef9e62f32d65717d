// Health of one server, measured from its answers: recent failures, latency, and its rate limits.

import type { Clock } from '../systemClock.ts'
import { Stretch } from './stretch.ts'
import type { VerbKind } from './verbs.ts'

const HALF_LIFE_MS = 30_000
/** With this many recent failures a server is used only when no better one is left. */
const MOST_FAILURES = 3
/** For so long after a revert, calls may still ask for blocks that were undone. */
const PARDON_MS = 10_000
/** Weight of the newest measurement. */
const LATENCY_WEIGHT = 0.25
const FIRST_COOL_MS = 1_000
const LONGEST_COOL_MS = 60_000
const FORGET_MS = 600_000

/** A number with a half-life of 30 s. */
class Fading {
  readonly #clock: Pick<Clock, 'now'>
  #value = 0
  #at = 0

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  get value(): number {
    if (this.#value === 0) return 0
    return this.#value * 2 ** ((this.#at - this.#clock.now()) / HALF_LIFE_MS)
  }

  add(weight: number): void {
    this.#value = this.value + weight
    this.#at = this.#clock.now()
  }
}

/** Recent failures. */
export class ErrorScore {
  /** How often it has failed, and what with last. */
  failures = 0
  last: unknown = null
  /** The block it lacked last. */
  #lackedSeqno = 0
  readonly #clock: Pick<Clock, 'now'>
  #failed: Fading
  #lacked: Fading
  #pardonedUntil = Number.NEGATIVE_INFINITY

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
    this.#failed = new Fading(clock)
    this.#lacked = new Fading(clock)
  }

  /** The chain was reverted: earlier failures are forgotten, and missing blocks do not count for some seconds. */
  pardon(): void {
    this.#failed = new Fading(this.#clock)
    this.#lacked = new Fading(this.#clock)
    this.#pardonedUntil = this.#clock.now() + PARDON_MS
  }

  add(weight: number): void {
    this.#failed.add(weight)
  }

  /** It reports a block that it does not have. Good answers about others make up for nothing: it may make them up. */
  lacks(seqno: number, weight: number): void {
    if (this.#clock.now() < this.#pardonedUntil) return
    this.#lackedSeqno = seqno
    this.#lacked.add(weight)
  }

  /** The block it lacks, while that is why it is not called. */
  get lacking(): number | null {
    return this.#lacked.value >= MOST_FAILURES ? this.#lackedSeqno : null
  }

  note(error: unknown): void {
    this.failures++
    this.last = error
  }

  /** A good answer takes away a quarter of the score. */
  ease(): void {
    const { value } = this.#failed
    if (value !== 0) this.#failed.add(-value / 4)
  }

  get isHigh(): boolean {
    return this.#failed.value >= MOST_FAILURES || this.#lacked.value >= MOST_FAILURES
  }
}

/** How old blocks a server has, from failed reads. Servers prune by age, so an age in blocks is stored. */
export class Past {
  readonly #clock: Pick<Clock, 'now'>
  #lacks: { readonly age: number; readonly at: number } | null = null
  #lacksLt: { readonly lt: bigint; readonly at: number } | null = null

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** `age`: blocks behind its head. */
  misses(age: number): void {
    const before = this.#known(this.#lacks)?.age ?? age
    this.#lacks = { age: Math.min(age, before), at: this.#clock.now() }
  }

  /** Where no block is known. */
  missesLt(lt: bigint): void {
    const before = this.#known(this.#lacksLt)?.lt ?? 0n
    this.#lacksLt = { lt: lt > before ? lt : before, at: this.#clock.now() }
  }

  mayHoldLt(lt: bigint): boolean {
    const lacks = this.#known(this.#lacksLt)
    return lacks === null || lt > lacks.lt
  }

  mayHold(age: number): boolean {
    const lacks = this.#known(this.#lacks)
    return lacks === null || age < lacks.age
  }

  /** Null for what was found too long ago. */
  #known<T extends { readonly at: number }>(found: T | null): T | null {
    return found !== null && this.#clock.now() - found.at <= FORGET_MS ? found : null
  }
}

/** Smoothed latency per kind of call. */
export class Latency {
  /** By answers to reads alone: those about heads may come from a proxy that is nearer than its servers. */
  readonly stretch: Stretch
  readonly #ms = new Map<VerbKind, number>()
  /** Null until it is computed again. */
  #mean: number | null = null

  constructor(clock: Pick<Clock, 'now'>) {
    this.stretch = new Stretch(clock)
  }

  measured(kind: VerbKind, ms: number): void {
    if (kind === 'small' || kind === 'account') this.stretch.answered(ms)
    this.#smooth(kind, ms)
  }

  /** A refusal says nothing of the way either: limits of rate are those of proxies. */
  refused(kind: VerbKind, ms: number): void {
    this.#smooth(kind, ms)
  }

  #smooth(kind: VerbKind, ms: number): void {
    const before = this.#ms.get(kind)
    this.#ms.set(kind, before === undefined ? ms : before + (ms - before) * LATENCY_WEIGHT)
    this.#mean = null
  }

  /** Null until something was measured. */
  of(kind: VerbKind): number | null {
    return this.#ms.get(kind) ?? null
  }

  /** Over all kinds; null until something was measured. */
  get mean(): number | null {
    if (this.#mean !== null || this.#ms.size === 0) return this.#mean
    let sum = 0
    for (const ms of this.#ms.values()) sum += ms
    this.#mean = sum / this.#ms.size
    return this.#mean
  }
}

/** The pause after a server said "too many requests", doubled each time. */
export class CoolDown {
  readonly #clock: Pick<Clock, 'now'>
  #until = Number.NEGATIVE_INFINITY
  #next = FIRST_COOL_MS

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** Remaining milliseconds. */
  get left(): number {
    return this.#until === Number.NEGATIVE_INFINITY ? 0 : Math.max(0, this.#until - this.#clock.now())
  }

  begin(): void {
    // Refusals of concurrent calls count once.
    if (this.left > 0) return
    this.#until = this.#clock.now() + this.#next
    this.#next = Math.min(LONGEST_COOL_MS, this.#next * 2)
  }

  answered(): void {
    if (this.left === 0) this.#next = FIRST_COOL_MS
  }
}

/** At most so many calls per second, and as many at once after a second of rest. */
export class TokenBucket {
  readonly #clock: Pick<Clock, 'now'>
  readonly #perSecond: number
  #tokens: number
  #at: number

  /** `perSecond` 0: no limit. */
  constructor(clock: Pick<Clock, 'now'>, perSecond: number) {
    this.#clock = clock
    this.#perSecond = perSecond
    this.#tokens = perSecond
    this.#at = clock.now()
  }

  /** Milliseconds until a call may be made. */
  get wait(): number {
    if (this.#perSecond === 0) return 0
    this.#fill()
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) * 1000) / this.#perSecond)
  }

  /** May go below zero: follow-up calls are not delayed, and the debt delays later ones. */
  take(): void {
    if (this.#perSecond === 0) return
    this.#fill()
    this.#tokens -= 1
  }

  /** After a `take` that no call came of. */
  giveBack(): void {
    if (this.#perSecond === 0) return
    this.#tokens = Math.min(this.#perSecond, this.#tokens + 1)
  }

  #fill(): void {
    const now = this.#clock.now()
    this.#tokens = Math.min(this.#perSecond, this.#tokens + ((now - this.#at) * this.#perSecond) / 1000)
    this.#at = now
  }
}
