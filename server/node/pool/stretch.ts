// How many calls to have in flight to a server. An answer of a far one is mostly time on the network, during which it can work on other
// calls; once answers take longer than that, more calls would only wait for each other.

/** Up to here a server is near: 64 calls in flight are two thousand answers a second, which is what one process can check. */
const NEAR_MS = 30
const MOST_TIMES = 8
/** Answers that take longer than the shortest by so much have waited for others. */
const LONGER = 1.25
const NOISE_MS = 10
/** For each answer: while it grows it doubles with each way there and back, as there are 64 lanes for calls. */
const STEP = 1 / 64

/** Of one server. */
export class Stretch {
  #times = 1
  #least = Number.POSITIVE_INFINITY

  /** An answer that took so long. */
  answered(ms: number): void {
    this.#least = Math.min(this.#least, ms)
    const most = Math.min(MOST_TIMES, Math.max(1, this.#least / NEAR_MS))
    const waited = ms > this.#least * LONGER + NOISE_MS
    this.#times = Math.min(most, Math.max(1, this.#times + (waited ? -2 * STEP : STEP)))
  }

  /** As many times the usual calls in flight; 1 for a server that is near, or busy. */
  get times(): number {
    return this.#times
  }
}

interface Stretched {
  readonly isUsable: boolean
  readonly score: { readonly isHigh: boolean }
  readonly latency: { readonly stretch: Stretch }
}

/** Of those that calls go to. */
export function stretchOf(members: readonly Stretched[]): number {
  let [count, sum] = [0, 0]
  for (const { isUsable, score, latency } of members) {
    if (!isUsable || score.isHigh) continue
    count++
    sum += latency.stretch.times
  }
  return count === 0 ? 1 : sum / count
}
