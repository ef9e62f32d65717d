// When an answer takes unusually long, the same is asked of a second server: seldom, so that servers that are slow because
// they are busy do not get busier.

import type { VerbKind } from './verbs.ts'

const SAMPLES = 128
/** Fewer say nothing about what is usual. */
const LEAST_SAMPLES = 20
const SHARE = 0.05
/** Differences this small say nothing. */
const NOISE_MS = 5
/** Old calls count half, so that a quiet day does not pay for a storm. */
const WINDOW = 2_000
/** Measurements after which the usual time is computed anew: sorting for each call would cost as much as the call. */
const REFRESH = 16

interface Samples {
  readonly ms: number[]
  next: number
  /** Null while too few are there. */
  usual: number | null
  /** Measured since `usual` was computed. */
  fresh: number
}

export class Hedging {
  readonly #samples = new Map<VerbKind, Samples>()
  #calls = 0
  #hedges = 0

  /** Extra calls over calls, lately. */
  get share(): number {
    return this.#calls === 0 ? 0 : this.#hedges / this.#calls
  }

  measured(kind: VerbKind, ms: number): void {
    const samples = this.#samples.get(kind) ?? { ms: [], next: 0, usual: null, fresh: 0 }
    this.#samples.set(kind, samples)
    samples.ms[samples.next] = ms
    samples.next = (samples.next + 1) % SAMPLES
    samples.fresh++
    const isDue = samples.usual === null || samples.fresh >= REFRESH
    if (!isDue || samples.ms.length < LEAST_SAMPLES) return
    samples.fresh = 0
    samples.usual = samples.ms.toSorted((a, b) => a - b)[Math.floor(samples.ms.length * (1 - SHARE))] ?? null
  }

  /** Counts a call; how long to wait for its answer before a second one is asked, null for never. */
  called(kind: VerbKind): number | null {
    if (this.#calls >= WINDOW) {
      this.#calls /= 2
      this.#hedges /= 2
    }
    this.#calls++
    const usual = this.#samples.get(kind)?.usual ?? null
    return usual === null ? null : usual + NOISE_MS
  }

  /** Takes a share of the budget; false when it is used up. */
  take(): boolean {
    if (this.#hedges + 1 > this.#calls * SHARE) return false
    this.#hedges++
    return true
  }
}
