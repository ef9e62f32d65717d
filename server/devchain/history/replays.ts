// States of older blocks, recomputed from the nearest one that is known before them.

import { LRUCache } from 'lru-cache'
import { SlicedWork } from '../../fairness/index.ts'
import { WantedWork } from './wantedWork.ts'

/** Older states that were read recently. */
const REBUILT = 16
/** While replaying, one state per this many steps is cached as a later starting point, up to so many bytes of steps. */
const STRIDE = 64
/** Steps that are read from the disk at once. */
const AHEAD = 8
/** All replays are one caller beside those whose pages are written. */
const SUBJECT = 'past states'

/** For more steps than this a snapshot is searched first. */
const FAR = 128

/** A state to start from, at or before a step. */
export interface StateAt<T> {
  readonly seqno: number
  readonly state: T
}

export interface ReplayParts<T, Step> {
  readonly load: (seqno: number) => Promise<Step>
  /** The state after a step, given the one before it. */
  readonly replay: (before: T, step: Step) => T
  /** Bytes of a step that make up the difference. */
  readonly sizeOf: (step: Step) => number
  /** Of steps whose states are cached as starting points. */
  readonly maxBytes: number
  /** The nearest state that is in memory elsewhere. */
  readonly nearest: (seqno: number) => StateAt<T>
  /** The same on the disk. */
  readonly findBase: (seqno: number) => Promise<StateAt<T> | null>
}

export class Replays<T extends object, Step> {
  readonly #parts: ReplayParts<T, Step>
  readonly #rebuilt = new LRUCache<number, T>({ max: REBUILT })
  /** Apart from those: states in many places must not take the place of starting points. */
  readonly #marks: LRUCache<number, T>
  /** Replays that are running, by the step's number. */
  readonly #running = new WantedWork<number, T>()
  /** How often states were dropped. */
  #epoch = 0

  constructor(parts: ReplayParts<T, Step>) {
    this.#parts = parts
    this.#marks = new LRUCache<number, T>({ maxSize: parts.maxBytes })
  }

  /** Drops every state after this step. */
  truncate(seqno: number): void {
    this.#epoch++
    this.#running.clear()
    for (const old of [this.#rebuilt, this.#marks])
      for (const kept of [...old.keys()]) if (kept > seqno) old.delete(kept)
  }

  known(seqno: number): T | undefined {
    return this.#rebuilt.get(seqno) ?? this.#marks.get(seqno)
  }

  /** The nearest that is cached here; `far` when none is nearer than that. */
  nearest(seqno: number, far: StateAt<T>): StateAt<T> {
    let best = far
    for (const map of [this.#rebuilt, this.#marks])
      for (const [at, state] of map.entries()) if (at <= seqno && at > best.seqno) best = { seqno: at, state }
    return best
  }

  /**
   * The state after step `seqno`. Equal and neighbouring requests share one replay, which ends when all of their signals are
   * aborted.
   */
  async at(seqno: number, signal?: AbortSignal): Promise<T> {
    return this.known(seqno) ?? (await this.#running.wait(seqno, signal, (wanted) => this.#replay(seqno, wanted)))
  }

  async #replay(seqno: number, wanted: AbortSignal): Promise<T> {
    const { replay, sizeOf } = this.#parts
    const epoch = this.#epoch
    let { seqno: at, state } = await this.#base(seqno, wanted)
    const slices = new SlicedWork({ subject: SUBJECT })
    for (let bytes = 0; at < seqno; )
      for (const step of await this.#load(at + 1, Math.min(seqno, at + AHEAD))) {
        if (slices.isDue) await slices.rest()
        if (wanted.aborted) {
          // The next call goes on from here: it could not get further than this one if it began again.
          if (epoch === this.#epoch) this.#rebuilt.set(at, state)
          throw wanted.reason
        }
        state = replay(state, step)
        bytes += sizeOf(step)
        if (++at % STRIDE !== 0) continue
        // Unless the chain was reverted meanwhile: it may belong to an undone branch.
        if (epoch === this.#epoch) this.#marks.set(at, state, { size: bytes })
        bytes = 0
      }
    if (epoch === this.#epoch) this.#rebuilt.set(seqno, state)
    return state
  }

  #load(first: number, last: number): Promise<Step[]> {
    return Promise.all(Array.from({ length: last - first + 1 }, (_, i) => this.#parts.load(first + i)))
  }

  async #base(seqno: number, wanted: AbortSignal): Promise<StateAt<T>> {
    let best = this.nearest(seqno, this.#parts.nearest(seqno))
    const near = Math.max(0, ...[...this.#running.keys()].filter((at) => at < seqno))
    const replayed = near > best.seqno ? await this.at(near, wanted).catch(() => null) : null
    if (replayed) best = { seqno: near, state: replayed }
    // A starting point is in use, and stays as long as what was read.
    else this.known(best.seqno)
    wanted.throwIfAborted()
    // Reading a snapshot costs as much as replaying a good many steps.
    if (seqno - best.seqno <= FAR) return best
    const found = await this.#parts.findBase(seqno)
    return found !== null && found.seqno > best.seqno ? found : best
  }
}
