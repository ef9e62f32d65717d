// States by block: the newest in memory, older ones made again from the nearest known one before them.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Moment } from '../state/index.ts'
import { replayStep } from './replay.ts'
import type { Steps } from './steps.ts'

/** Steps of so many bytes may keep their moments, which take several times as much; so many keep them in any case. */
const MAX_BYTES = 48 * 1024 * 1024
const FEWEST = 16
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
  /** Bytes of the steps whose moments are kept: what they changed is what keeping them costs. */
  readonly #bytes = new Map<number, number>()
  #allBytes = 0
  readonly #rebuilt = new LRUCache<number, Moment>({ max: REBUILT })

  constructor(start: Moment, parts: { readonly steps: Steps; readonly limit: number; readonly findBase: FindBase }) {
    this.#start = start
    this.#steps = parts.steps
    this.#limit = parts.limit
    this.#findBase = parts.findBase
  }

  /** Keeps the moment after a step of so many bytes that was just made. */
  remember(seqno: number, moment: Moment, bytes: number): void {
    this.#newest.set(seqno, moment)
    this.#bytes.set(seqno, bytes)
    this.#allBytes += bytes
    for (const old of this.#newest.keys()) {
      const size = this.#newest.size
      if (size <= this.#limit && (size <= FEWEST || this.#allBytes <= MAX_BYTES)) return
      this.#drop(old)
    }
  }

  /** Forgets every moment after this step. */
  truncate(seqno: number): void {
    for (const kept of [...this.#newest.keys()]) if (kept > seqno) this.#drop(kept)
    for (const kept of [...this.#rebuilt.keys()]) if (kept > seqno) this.#rebuilt.delete(kept)
  }

  #drop(seqno: number): void {
    this.#newest.delete(seqno)
    this.#allBytes -= this.#bytes.get(seqno) ?? 0
    this.#bytes.delete(seqno)
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
