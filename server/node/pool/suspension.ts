// How long a server is left out for an answer that it must not give. One wrong answer must not cost an only server for good, and a
// server that goes on like this must not be worth much: each pause is twice the one before.

import { type Clock, sleepOn } from '../systemClock.ts'

/** `network`: it named another network. `lie`: another server proved what it did not. */
export type Offence = 'network' | 'lie'

const PAUSES: Readonly<Record<Offence, { readonly first: number; readonly longest: number }>> = {
  network: { first: 1_000, longest: 600_000 },
  lie: { first: 600_000, longest: 86_400_000 },
}
/** The longest pause of a server of another network while no server can be called. */
const LONGEST_MISSED_MS = 15_000

export class Suspension {
  readonly #clock: Clock
  readonly #isLiarRetried: boolean
  #reason: string | null = null
  #offence: Offence = 'network'
  /** The last pause for each offence, and when it ended. */
  readonly #past = {
    network: { pause: 0, endedAt: Number.NEGATIVE_INFINITY },
    lie: { pause: 0, endedAt: Number.NEGATIVE_INFINITY },
  } satisfies Record<Offence, object>
  #begun = 0
  #looks = 0
  #wake = new AbortController()

  constructor(clock: Clock, isLiarRetried: boolean) {
    this.#clock = clock
    this.#isLiarRetried = isLiarRetried
  }

  /** Why it is left out; null when it is not. */
  get reason(): string | null {
    return this.#reason
  }

  get isLie(): boolean {
    return this.#reason !== null && this.#offence === 'lie'
  }

  /** Whether it is to be looked at again soon, as it has given one wrong answer only. */
  get isDoubted(): boolean {
    return this.#reason !== null && this.#offence === 'network' && this.#looks === 1
  }

  /** Milliseconds that it is left out from now; null when it was left out before, infinite for as long as the process runs. */
  begin(reason: string, offence: Offence): number | null {
    const isNew = this.#reason === null
    if (this.isLie) return null
    const now = this.#clock.now()
    const { first, longest } = PAUSES[offence]
    if (!isNew) this.#past[this.#offence].endedAt = now
    const past = this.#past[offence]
    past.pause = now - past.endedAt >= longest ? first : Math.min(longest, past.pause * 2)
    if (offence === 'lie' && !this.#isLiarRetried) past.pause = Number.POSITIVE_INFINITY
    this.#looks = isNew ? 1 : this.#looks + 1
    this.#reason = reason
    this.#offence = offence
    this.#begun = now
    return isNew ? past.pause : null
  }

  /**
   * Resolves when it may be connected again. A liar is no longer left out then: each of its answers is proven. One of another network
   * is, until it names the right one. The result is whether a liar's time is over.
   */
  async wait(isMissed: () => boolean): Promise<boolean> {
    while (this.#reason !== null) {
      const isSooner = !this.isLie && isMissed()
      const { pause } = this.#past[this.#offence]
      const left = this.#begun + (isSooner ? Math.min(pause, LONGEST_MISSED_MS) : pause) - this.#clock.now()
      if (left > 0) await sleepOn(this.#clock, Math.min(left, LONGEST_MISSED_MS), this.#wake.signal)
      else if (this.isLie) {
        this.end()
        return true
      } else return false
    }
    return false
  }

  end(): void {
    if (this.#reason === null) return
    this.#reason = null
    this.#past[this.#offence].endedAt = this.#clock.now()
    this.#wake.abort()
    this.#wake = new AbortController()
  }

  /** A look that got no answer: the next one comes after the same pause. */
  postpone(): void {
    this.#begun = this.#clock.now()
  }
}
