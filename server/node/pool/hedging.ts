// When an answer is unusually slow, the same call goes to a second server: rarely, so that busy servers do not get busier.

import type { Clock } from '../systemClock.ts'
import { Deadlines, type Timed } from './deadlines.ts'
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

/** Work that has a second server when it takes too long. */
export interface Hedged extends Timed<Hedged> {}

export class Hedging {
  readonly #clock: Clock
  readonly #deadlines: Deadlines<Hedged>
  readonly #samples = new Map<VerbKind, Samples>()
  #calls = 0
  #hedges = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#deadlines = new Deadlines(clock)
  }

  /** Recent share of extra calls. */
  get share(): number {
    return this.#calls === 0 ? 0 : this.#hedges / this.#calls
  }

  measured(kind: VerbKind, ms: number): void {
    const samples = this.#of(kind)
    samples.ms[samples.next] = ms
    samples.next = (samples.next + 1) % SAMPLES
    samples.fresh++
    const isDue = samples.usual === null || samples.fresh >= Math.min(REFRESH, samples.ms.length)
    if (!isDue || samples.ms.length < LEAST_SAMPLES) return
    samples.fresh = 0
    samples.usual = samples.ms.toSorted((a, b) => a - b)[Math.floor(samples.ms.length * (1 - SHARE))] ?? null
  }

  #of(kind: VerbKind): Samples {
    const found = this.#samples.get(kind)
    if (found !== undefined) return found
    const samples: Samples = { ms: [], next: 0, usual: null, fresh: 0 }
    this.#samples.set(kind, samples)
    return samples
  }

  /** Counts the first call of some work, which is late when it takes unusually long. */
  begin(work: Hedged, kind: VerbKind): void {
    this.#deadlines.add(work, this.#clock.now(), this.#called(kind))
  }

  /** It has ended, or is not late any more. */
  remove(work: Hedged): void {
    this.#deadlines.remove(work)
  }

  close(): void {
    this.#deadlines.close()
  }

  /** The delay after which a second server is called. */
  #called(kind: VerbKind): number {
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

  /** After a `take` that no call came of. */
  giveBack(): void {
    this.#hedges = Math.max(0, this.#hedges - 1)
  }
}
