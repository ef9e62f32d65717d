// States by block: the newest in memory, older ones made again from the nearest known one before them.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Moment } from '../state/index.ts'
import { replayStep } from './replay.ts'
import type { Steps } from './steps.ts'

/** Older moments that somebody asked for lately. */
const REBUILT = 16
/** While replaying, every so many steps a moment is kept to start from next time. */
const STRIDE = 64

/** More steps than this are worth looking for a snapshot. */
const FAR = 128

/** A moment to start from, at or before a step, found elsewhere (in a snapshot). */
export type FindBase = (seqno: number) => Promise<{ readonly seqno: number; readonly moment: Moment } | null>

export class Moments {
  readonly #start: Moment
  readonly #steps: Steps
  readonly #limit: number
  readonly #findBase: FindBase
  readonly #newest = new Map<number, Moment>()
  readonly #rebuilt = new LRUCache<number, Moment>({ max: REBUILT })

  constructor(start: Moment, parts: { readonly steps: Steps; readonly limit: number; readonly findBase: FindBase }) {
    this.#start = start
    this.#steps = parts.steps
    this.#limit = parts.limit
    this.#findBase = parts.findBase
  }

  /** Keeps the moment after a step that was just made. */
  remember(seqno: number, moment: Moment): void {
    this.#newest.set(seqno, moment)
    for (const old of this.#newest.keys()) {
      if (this.#newest.size <= this.#limit) return
      this.#newest.delete(old)
    }
  }

  /** Forgets every moment after this step. */
  truncate(seqno: number): void {
    for (const map of [this.#newest, this.#rebuilt])
      for (const kept of [...map.keys()]) if (kept > seqno) map.delete(kept)
  }

  /** How things stood after step `seqno`; 0 is genesis. */
  async at(seqno: number): Promise<Moment> {
    const kept = this.#known(seqno)
    if (kept !== undefined) return kept
    let { seqno: at, moment } = await this.#base(seqno)
    while (at < seqno) {
      moment = replayStep(moment, await this.#steps.record(++at))
      if (at % STRIDE === 0) this.#rebuilt.set(at, moment)
      await nextTurn()
    }
    this.#rebuilt.set(seqno, moment)
    return moment
  }

  #known(seqno: number): Moment | undefined {
    return seqno === 0 ? this.#start : (this.#newest.get(seqno) ?? this.#rebuilt.get(seqno))
  }

  async #base(seqno: number): Promise<{ seqno: number; moment: Moment }> {
    let best = { seqno: 0, moment: this.#start }
    for (const map of [this.#newest, this.#rebuilt])
      for (const [at, moment] of map.entries()) if (at <= seqno && at > best.seqno) best = { seqno: at, moment }
    // Reading a snapshot costs as much as replaying a good many steps.
    if (seqno - best.seqno <= FAR) return best
    const found = await this.#findBase(seqno)
    return found !== null && found.seqno > best.seqno ? found : best
  }
}
