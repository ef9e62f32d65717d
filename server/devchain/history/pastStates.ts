// States by block: the newest in memory, older ones recomputed from the nearest cached state before them.

import { LRUCache } from 'lru-cache'
import { SlicedWork } from '../../fairness/index.ts'
import type { Moment } from '../state/index.ts'
import { replayStep } from './replayStep.ts'
import { type Steps, type StoredStep, sizeOfStep } from './storedSteps.ts'
import { WantedWork } from './wantedWork.ts'

/** Moments of the newest steps stay in memory up to this many bytes of steps; they take several times as much. */
const MAX_BYTES = 48 * 1024 * 1024
/** At least this many of them, whatever their size. */
const FEWEST = 16
/** Older moments that were read recently. */
const REBUILT = 16
/** While replaying, one moment per this many steps is cached as a later starting point, up to so many bytes of steps. */
const STRIDE = 64
const MARKS_BYTES = 48 * 1024 * 1024
/** Steps that are read from the disk at once. */
const AHEAD = 8
/** All replays are one caller beside those whose pages are written. */
const SUBJECT = 'past states'

/** For more steps than this a snapshot is searched first. */
const FAR = 128

/** A moment to start from, at or before a step, found elsewhere (in a snapshot). */
export type FindBase = (seqno: number) => Promise<{ readonly seqno: number; readonly moment: Moment } | null>

export class PastStates {
  readonly #start: Moment
  readonly #steps: Pick<Steps, 'load'>
  readonly #limit: number
  readonly #findBase: FindBase
  readonly #newest = new Map<number, Moment>()
  /** Bytes of the steps whose moments are cached: a moment costs memory in proportion to its step. */
  readonly #bytes = new Map<number, number>()
  #allBytes = 0
  readonly #rebuilt = new LRUCache<number, Moment>({ max: REBUILT })
  /** Apart from those: moments in many places must not take the place of starting points. */
  readonly #marks = new LRUCache<number, Moment>({ maxSize: MARKS_BYTES })
  /** Replays that are running, by the step's number. */
  readonly #replaying = new WantedWork<number, Moment>()
  /** How often moments were dropped. */
  #epoch = 0

  constructor(
    start: Moment,
    parts: { readonly steps: Pick<Steps, 'load'>; readonly limit: number; readonly findBase: FindBase },
  ) {
    this.#start = start
    this.#steps = parts.steps
    this.#limit = parts.limit
    this.#findBase = parts.findBase
  }

  /** Caches the moment after a new step; `bytes` is the size of that step. */
  cache(seqno: number, moment: Moment, bytes: number): void {
    this.#newest.set(seqno, moment)
    this.#bytes.set(seqno, bytes)
    this.#allBytes += bytes
    for (const old of this.#newest.keys()) {
      const size = this.#newest.size
      if (size <= this.#limit && (size <= FEWEST || this.#allBytes <= MAX_BYTES)) return
      this.#drop(old)
    }
  }

  /** Drops every moment after this step. */
  truncate(seqno: number): void {
    this.#epoch++
    this.#replaying.clear()
    for (const kept of [...this.#newest.keys()]) if (kept > seqno) this.#drop(kept)
    for (const old of [this.#rebuilt, this.#marks])
      for (const kept of [...old.keys()]) if (kept > seqno) old.delete(kept)
  }

  #drop(seqno: number): void {
    this.#newest.delete(seqno)
    this.#allBytes -= this.#bytes.get(seqno) ?? 0
    this.#bytes.delete(seqno)
  }

  /**
   * Both chains after step `seqno`; 0 is genesis. Equal and neighbouring requests share one replay, which ends when all of their
   * signals are aborted.
   */
  async at(seqno: number, signal?: AbortSignal): Promise<Moment> {
    return this.#known(seqno) ?? (await this.#replaying.wait(seqno, signal, (wanted) => this.#replay(seqno, wanted)))
  }

  async #replay(seqno: number, wanted: AbortSignal): Promise<Moment> {
    const epoch = this.#epoch
    let { seqno: at, moment } = await this.#base(seqno, wanted)
    const slices = new SlicedWork({ subject: SUBJECT })
    for (let bytes = 0; at < seqno; )
      for (const step of await this.#load(at + 1, Math.min(seqno, at + AHEAD))) {
        if (slices.isDue) await slices.rest()
        wanted.throwIfAborted()
        moment = replayStep(moment, step)
        bytes += sizeOfStep(step)
        if (++at % STRIDE !== 0) continue
        // Unless the chain was reverted meanwhile: it may belong to an undone branch.
        if (epoch === this.#epoch) this.#marks.set(at, moment, { size: bytes })
        bytes = 0
      }
    if (epoch === this.#epoch) this.#rebuilt.set(seqno, moment)
    return moment
  }

  #load(first: number, last: number): Promise<StoredStep[]> {
    return Promise.all(Array.from({ length: last - first + 1 }, (_, i) => this.#steps.load(first + i)))
  }

  #known(seqno: number): Moment | undefined {
    return seqno === 0 ? this.#start : (this.#newest.get(seqno) ?? this.#rebuilt.get(seqno) ?? this.#marks.get(seqno))
  }

  async #base(seqno: number, wanted: AbortSignal): Promise<{ seqno: number; moment: Moment }> {
    let best = { seqno: 0, moment: this.#start }
    for (const map of [this.#newest, this.#rebuilt, this.#marks])
      for (const [at, moment] of map.entries()) if (at <= seqno && at > best.seqno) best = { seqno: at, moment }
    const near = Math.max(0, ...[...this.#replaying.keys()].filter((at) => at < seqno))
    const replayed = near > best.seqno ? await this.at(near, wanted).catch(() => null) : null
    if (replayed) best = { seqno: near, moment: replayed }
    // A starting point is in use, and stays as long as what was read.
    else this.#known(best.seqno)
    wanted.throwIfAborted()
    // Reading a snapshot costs as much as replaying a good many steps.
    if (seqno - best.seqno <= FAR) return best
    const found = await this.#findBase(seqno)
    return found !== null && found.seqno > best.seqno ? found : best
  }
}
