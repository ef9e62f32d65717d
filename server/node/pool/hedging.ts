// When an answer is unusually slow, the same call goes to a second server: rarely, so that busy servers do not get busier.

import type { VerbKind } from './verbs.ts'

const SAMPLES = 128
/** Minimum samples for an estimate. */
const LEAST_SAMPLES = 20
const SHARE = 0.05
/** Extra calls that no others have to pay for: one of the first servers that are tried may hang, or drip its answers. */
const FIRST_HEDGES = 16
/** The usual time until there is an estimate. */
const UNKNOWN_MS = 1_000
/** Smaller differences are noise. */
const NOISE_MS = 5
/** Counters are halved at this many calls, so that old calls do not pay for new hedges. */
const WINDOW = 2_000
/** Samples between two computations of the usual time: sorting for each call would cost as much as the call. */
const REFRESH = 64

interface Samples {
  readonly ms: number[]
  next: number
  /** Null while there are too few samples. */
  usual: number | null
  /** Samples since `usual` was computed. */
  fresh: number
}

export class Hedging {
  readonly #samples = new Map<VerbKind, Samples>()
  #calls = 0
  #hedges = 0

  /** Recent share of extra calls. */
  get share(): number {
    return this.#calls === 0 ? 0 : this.#hedges / this.#calls
  }

  measured(kind: VerbKind, ms: number): void {
    const samples = this.#samples.get(kind) ?? { ms: [], next: 0, usual: null, fresh: 0 }
    this.#samples.set(kind, samples)
    samples.ms[samples.next] = ms
    samples.next = (samples.next + 1) % SAMPLES
    samples.fresh++
    const isDue = samples.usual === null || samples.fresh >= Math.min(REFRESH, samples.ms.length)
    if (!isDue || samples.ms.length < LEAST_SAMPLES) return
    samples.fresh = 0
    samples.usual = samples.ms.toSorted((a, b) => a - b)[Math.floor(samples.ms.length * (1 - SHARE))] ?? null
  }

  /** Counts a call; returns the delay after which a second server is called. */
  called(kind: VerbKind): number {
    if (this.#calls >= WINDOW) {
      this.#calls /= 2
      this.#hedges /= 2
    }
    this.#calls++
    return (this.#samples.get(kind)?.usual ?? UNKNOWN_MS) + NOISE_MS
  }

  /** Takes an extra call from the budget; false when it is used up. */
  take(): boolean {
    if (this.#hedges + 1 > Math.max(FIRST_HEDGES, this.#calls * SHARE)) return false
    this.#hedges++
    return true
  }
}
