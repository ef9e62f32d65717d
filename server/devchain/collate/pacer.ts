// Long work in short slices: between two transactions it reports whether the event loop should get its turn.

import { giveWay, inPieces } from '../../fairness/index.ts'

/** Milliseconds of work between two pauses: with the longest stretch that is not cut, a turn stays below ten. */
const SLICE = 5
/** While blocks before it are indexed or reported it gives them so many slices at most: a chain never stops. */
const RESTS = 3
/** So much work of a slice leaves room for a stretch of unknown length. */
const LITTLE = 1

export class Pacer {
  #since = performance.now()
  readonly #start = this.#since

  /** Milliseconds since the work began. */
  get elapsed(): number {
    return performance.now() - this.#start
  }

  get isDue(): boolean {
    return performance.now() - this.#since > SLICE
  }

  /** Lets the event loop turn once, and what others wait for go first. */
  async rest(): Promise<void> {
    await giveWay(RESTS * Math.min(SLICE, performance.now() - this.#since))
    this.#since = performance.now()
  }

  /** A pause before a stretch that may fill a slice by itself, unless this slice has hardly begun. */
  async restBeforeMore(): Promise<void> {
    if (performance.now() - this.#since > LITTLE) await this.rest()
  }

  /** A pause, when one is due. */
  async restIfDue(): Promise<void> {
    if (this.isDue) await this.rest()
  }

  /** Goes through `pieces` to their end, with pauses where they are due. */
  through<R>(pieces: Generator<void, R>): Promise<R> {
    return inPieces(pieces, this)
  }
}
