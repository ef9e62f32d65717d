// States by block: the newest in memory, older ones recomputed. Those of the masterchain are recomputed without the shard
// where they are wanted alone: its blocks are the large ones.

import type { MasterState, Moment } from '../state/index.ts'
import { replayMaster, replayStep } from './replayStep.ts'
import { Replays, type StateAt } from './replays.ts'
import { type MasterStep, type Steps, type StoredStep, sizeOfStep } from './storedSteps.ts'

/** Moments of the newest steps stay in memory up to this many bytes of steps; they take several times as much. */
const MAX_BYTES = 48 * 1024 * 1024
/** At least this many of them, whatever their size. */
const FEWEST = 16
/** Of steps between starting points: whole ones, and those of the masterchain alone. */
const MARKS_BYTES = 48 * 1024 * 1024
const MASTER_MARKS_BYTES = 16 * 1024 * 1024

/** A moment to start from, at or before a step, found elsewhere (in a snapshot). */
export type FindBase = (seqno: number) => Promise<{ readonly seqno: number; readonly moment: Moment } | null>

const masterAt = ({ seqno, state }: StateAt<Moment>): StateAt<MasterState> => ({ seqno, state: state.master })

interface NewMoment {
  readonly moment: Moment
  /** Of its step: a moment costs memory in proportion. */
  readonly bytes: number
}

export class PastStates {
  readonly #start: Moment
  readonly #limit: number
  readonly #newest = new Map<number, NewMoment>()
  /** Of all steps whose moments are cached. */
  #bytes = 0
  readonly #moments: Replays<Moment, StoredStep>
  readonly #masters: Replays<MasterState, MasterStep>

  constructor(
    start: Moment,
    {
      steps,
      limit,
      findBase,
    }: { readonly steps: Pick<Steps, 'load' | 'loadMaster'>; readonly limit: number; readonly findBase: FindBase },
  ) {
    this.#start = start
    this.#limit = limit
    const find = async (seqno: number): Promise<StateAt<Moment> | null> => {
      const found = await findBase(seqno)
      return found && { seqno: found.seqno, state: found.moment }
    }
    this.#moments = new Replays({
      load: (seqno: number) => steps.load(seqno),
      replay: replayStep,
      sizeOf: sizeOfStep,
      maxBytes: MARKS_BYTES,
      findBase: find,
      nearest: (seqno) => this.#nearestNew(seqno),
    })
    this.#masters = new Replays({
      load: (seqno: number) => steps.loadMaster(seqno),
      replay: replayMaster,
      maxBytes: MASTER_MARKS_BYTES,
      sizeOf: ({ boc }) => boc.length,
      nearest: (seqno) => masterAt(this.#moments.nearest(seqno, this.#nearestNew(seqno))),
      async findBase(seqno) {
        const found = await find(seqno)
        return found && masterAt(found)
      },
    })
  }

  /** Caches the moment after a new step; `bytes` is the size of that step. */
  cache(seqno: number, moment: Moment, bytes: number): void {
    this.#newest.set(seqno, { moment, bytes })
    this.#bytes += bytes
    for (const old of this.#newest.keys()) {
      const size = this.#newest.size
      if (size <= this.#limit && (size <= FEWEST || this.#bytes <= MAX_BYTES)) return
      this.#drop(old)
    }
  }

  /** Drops every moment after this step. */
  truncate(seqno: number): void {
    for (const kept of [...this.#newest.keys()]) if (kept > seqno) this.#drop(kept)
    this.#moments.truncate(seqno)
    this.#masters.truncate(seqno)
  }

  #drop(seqno: number): void {
    this.#bytes -= this.#newest.get(seqno)?.bytes ?? 0
    this.#newest.delete(seqno)
  }

  /** Both chains after step `seqno`; 0 is genesis. Rejects with the reason of `signal` once that is aborted. */
  async at(seqno: number, signal?: AbortSignal): Promise<Moment> {
    return this.inMemory(seqno) ?? (await this.#moments.at(seqno, signal))
  }

  /** The masterchain after it, for less. */
  async masterAt(seqno: number, signal?: AbortSignal): Promise<MasterState> {
    const known = this.inMemory(seqno) ?? this.#moments.known(seqno)
    return known?.master ?? (await this.#masters.at(seqno, signal))
  }

  /** Both chains after one of the newest steps; undefined for others. */
  inMemory(seqno: number): Moment | undefined {
    return seqno === 0 ? this.#start : this.#newest.get(seqno)?.moment
  }

  #nearestNew(seqno: number): StateAt<Moment> {
    let best: StateAt<Moment> = { seqno: 0, state: this.#start }
    for (const [at, { moment }] of this.#newest) if (at <= seqno && at > best.seqno) best = { seqno: at, state: moment }
    return best
  }
}
