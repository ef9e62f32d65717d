// Token buckets, one per subject, kept as a single number: the moment at which the bucket is full again. How much it
// holds now follows from that moment and the rate, so nothing has to be refilled.
//
// The numbers live in a typed array next to a map of slots, because a number in a Map is boxed on each write.
// Each spend checks one further slot in a circle, and removes its subject when the bucket is full: a subject that was
// removed and one that never called are in the same state. So the table follows the traffic without ever being scanned.

import type { BudgetState, Tier } from './access.ts'

const FIRST_SLOTS = 1024
/** Slots compared when the table is full and one has to go. */
const SAMPLE = 8
/** Calls and milliseconds below this are dust of floating point. */
const DUST = 1e-6
/** In place of a time: the slot is free. The clock never reaches it, so the hand passes over it. */
const VACANT = Number.POSITIVE_INFINITY

interface BudgetsOptions {
  /** Milliseconds from any origin; should not run backwards. */
  readonly now: () => number
  /** Maximum number of subjects kept. */
  readonly capacity?: number
}

/** What all subjects have left. Every operation takes constant time. */
export class Budgets {
  readonly #now: () => number
  readonly #origin: number
  readonly #capacity: number
  readonly #slots = new Map<string, number>()
  readonly #vacant: number[] = []
  #subjects: string[] = []
  #fullAt = new Float64Array(FIRST_SLOTS)
  #hand = 0

  constructor({ now, capacity = 100_000 }: BudgetsOptions) {
    this.#now = now
    // Small moments keep more binary digits after the point than milliseconds since 1970 do.
    this.#origin = now()
    this.#capacity = capacity
  }

  /** Number of subjects kept now. */
  get size(): number {
    return this.#slots.size
  }

  /**
   * Takes `cost` when the bucket holds it, or is full: a call that costs more than a full bucket passes then, and leaves
   * a debt that time pays off. A refused call takes nothing. Throws RangeError for a cost that is no amount.
   */
  spend(subject: string, tier: Tier, cost: number): BudgetState {
    if (!(cost >= 0 && cost < Number.POSITIVE_INFINITY)) throw new RangeError(`A call cannot cost ${cost}`)
    const now = this.#now() - this.#origin
    this.#step(now)
    const slot = this.#slots.get(subject)
    const fullAt = this.#fullAtOf(slot, now)
    const size = sizeOf(tier)
    const held = size - ((fullAt - now) * tier.perSecond) / 1000
    const missing = Math.min(cost, size) - held
    if (missing > DUST) return refusal(tier, held, missing, fullAt - now)
    const after = fullAt + (cost * 1000) / tier.perSecond
    if (slot !== undefined) this.#fullAt[slot] = after
    else if (after > now) this.#admit(subject, after, now)
    return { allowed: true, tier, remaining: wholeCalls(held - cost), resetAfter: seconds(after - now), retryAfter: 0 }
  }

  /** The state of a budget, `allowed` meaning that a call of cost 1 would pass. */
  peek(subject: string, tier: Tier): BudgetState {
    const now = this.#now() - this.#origin
    const fullAt = this.#fullAtOf(this.#slots.get(subject), now)
    const held = sizeOf(tier) - ((fullAt - now) * tier.perSecond) / 1000
    if (1 - held > DUST) return refusal(tier, held, 1 - held, fullAt - now)
    return { allowed: true, tier, remaining: wholeCalls(held), resetAfter: seconds(fullAt - now), retryAfter: 0 }
  }

  /** Others have spent as well: the bucket is full in `untilFull` milliseconds at the earliest. */
  raise(subject: string, untilFull: number): void {
    const now = this.#now() - this.#origin
    const fullAt = now + untilFull
    const slot = this.#slots.get(subject)
    if (slot !== undefined) this.#fullAt[slot] = Math.max(fullAt, this.#fullAt[slot] ?? 0)
    else if (untilFull > DUST) this.#admit(subject, fullAt, now)
  }

  #fullAtOf(slot: number | undefined, now: number): number {
    const fullAt = slot === undefined ? now : (this.#fullAt[slot] ?? now)
    return Math.max(fullAt, now)
  }

  #admit(subject: string, fullAt: number, now: number): void {
    // A second step: the hand has to go round faster than fresh subjects come in.
    this.#step(now)
    if (this.#slots.size >= this.#capacity) this.#evict()
    const slot = this.#vacant.pop() ?? this.#subjects.length
    if (slot >= this.#fullAt.length) {
      const grown = new Float64Array(this.#fullAt.length * 2)
      grown.set(this.#fullAt)
      this.#fullAt = grown
    }
    this.#subjects[slot] = subject
    this.#fullAt[slot] = fullAt
    this.#slots.set(subject, slot)
  }

  #step(now: number): void {
    const slot = this.#advance()
    if ((this.#fullAt[slot] ?? VACANT) <= now) this.#forget(slot)
  }

  #advance(): number {
    this.#hand = this.#hand + 1 < this.#subjects.length ? this.#hand + 1 : 0
    return this.#hand
  }

  /** Makes room at the cost of the bucket that is, or will be, full the earliest among the next few. */
  #evict(): void {
    let chosen = this.#advance()
    for (let i = 1; i < SAMPLE; i++) {
      const slot = this.#advance()
      if ((this.#fullAt[slot] ?? VACANT) < (this.#fullAt[chosen] ?? VACANT)) chosen = slot
    }
    this.#forget(chosen)
  }

  #forget(slot: number): void {
    const subject = this.#subjects[slot]
    if (subject === undefined || !this.#slots.delete(subject)) return
    this.#subjects[slot] = ''
    this.#fullAt[slot] = VACANT
    this.#vacant.push(slot)
    if (this.#slots.size === 0) this.#reset()
  }

  /** After a flood the hand would walk over vacant slots for long; an empty table starts small again. */
  #reset(): void {
    this.#subjects = []
    this.#vacant.length = 0
    if (this.#fullAt.length > FIRST_SLOTS) this.#fullAt = new Float64Array(FIRST_SLOTS)
  }
}

/** What a full bucket holds. */
export const sizeOf = ({ perSecond, burst = perSecond }: Tier): number => Math.max(1, burst)

const refusal = (tier: Tier, held: number, missing: number, untilFull: number): BudgetState => ({
  allowed: false,
  tier,
  remaining: wholeCalls(held),
  resetAfter: seconds(untilFull),
  retryAfter: Math.max(1, seconds((missing * 1000) / tier.perSecond)),
})

const wholeCalls = (held: number): number => (held > 0 ? Math.floor(held + DUST) : 0)
const seconds = (ms: number): number => (ms > DUST ? Math.ceil((ms - DUST) / 1000) : 0)
