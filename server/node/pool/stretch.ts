// How many calls to have in flight to a server. An answer of a far one is mostly time on the network, during which it can work on other
// calls; once answers take longer than that, more calls would only wait for each other.

import type { Clock } from '../systemClock.ts'

/** Up to here a server is near: 64 calls in flight are two thousand answers a second, which is what one process can check. */
const NEAR_MS = 30
const MOST_TIMES = 8
/** Answers that take longer than the shortest by so much have waited for others. */
const LONGER = 1.25
const NOISE_MS = 10
/** For each answer: while it grows it doubles with each way there and back, as there are 64 lanes for calls. */
const STEP = 1 / 64

/** When no answer came near the shortest for so long, in so many answers, the way may have become longer: it is measured again. */
const AGE_MS = 120_000
const FEWEST = 256
/** Answers to measure by, with the usual calls in flight: with more of them, they may wait for each other. */
const MEASURED = 64

/** The shortest of the answers since a moment. */
class Shortest {
  ms = Number.POSITIVE_INFINITY
  answers = 0
  readonly began: number

  constructor(began: number) {
    this.began = began
  }

  add(ms: number): void {
    this.ms = Math.min(this.ms, ms)
    this.answers++
  }
}

const isLonger = (ms: number, least: number): boolean => ms > least * LONGER + NOISE_MS

/** Of one server. */
export class Stretch {
  readonly #clock: Pick<Clock, 'now'>
  #times = 1
  #least = Number.POSITIVE_INFINITY
  #recent: Shortest
  /** Null but while the way is measured again. */
  #measured: Shortest | null = null

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
    this.#recent = new Shortest(clock.now())
  }

  /** An answer that took so long. */
  answered(ms: number): void {
    this.#least = Math.min(this.#least, ms)
    this.#age(ms)
    const most = this.#measured === null ? Math.min(MOST_TIMES, Math.max(1, this.#least / NEAR_MS)) : 1
    const step = isLonger(ms, this.#least) ? -2 * STEP : STEP
    this.#times = Math.min(most, Math.max(1, this.#times + step))
  }

  /** As many times the usual calls in flight; 1 for a server that is near, or busy. */
  get times(): number {
    return this.#times
  }

  #age(ms: number): void {
    const now = this.#clock.now()
    this.#recent.add(ms)
    const { began, answers } = this.#recent
    if (this.#measured !== null) {
      if (now - ms < this.#measured.began) return
      this.#measured.add(ms)
      if (this.#measured.answers < MEASURED) return
      this.#least = this.#measured.ms
      this.#measured = null
    } else {
      if (now - began < AGE_MS || answers < FEWEST) return
      if (isLonger(this.#recent.ms, this.#least)) this.#measured = new Shortest(now)
    }
    this.#recent = new Shortest(now)
  }
}

interface Stretched {
  readonly isUsable: boolean
  readonly score: { readonly isHigh: boolean }
  readonly latency: { readonly stretch: Stretch }
}

/** Of those that calls go to. */
export function stretchOf(members: readonly Stretched[]): number {
  let count = 0
  let sum = 0
  for (const { isUsable, score, latency } of members) {
    if (!isUsable || score.isHigh) continue
    count++
    sum += latency.stretch.times
  }
  return count === 0 ? 1 : sum / count
}
