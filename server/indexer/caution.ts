// After a failure blocks are written one at a time, until those that were worked on are behind: so the blocks before one that
// cannot be indexed are indexed, and that one is known by its number.

import { isOfBlock, troubleText } from './trouble.ts'

/** Masterchain blocks that are fetched and read before they are written. */
export const MOST_AHEAD = 16

export class Caution {
  /** The last masterchain block of the newest batch. */
  #last = 0
  #until = 0
  #ahead = MOST_AHEAD
  /** The last masterchain block that is indexed. */
  readonly #indexed: () => number

  constructor(indexed: () => number) {
    this.#indexed = indexed
  }

  get isOn(): boolean {
    return this.#indexed() < this.#until
  }

  /** How many blocks are read ahead: over a slow connection the answers of many wait for each other, and none comes in time. */
  get ahead(): number {
    return this.#ahead
  }

  worksOn(last: number): void {
    this.#last = last
    this.#ahead = Math.min(MOST_AHEAD, this.#ahead + 1)
  }

  /** What a failure says, and of which block. Nothing is being written any more. */
  textOf(error: unknown): string {
    const first = this.#indexed() + 1
    const isSure = this.isOn || this.#last <= first
    this.#until = Math.max(this.#until, this.#last)
    this.#ahead = Math.max(1, this.#ahead >> 1)
    const which = isSure ? `block ${first}` : `one of the blocks ${first} to ${this.#last}`
    return isOfBlock(error) ? `${which} cannot be indexed: ${troubleText(error)}` : troubleText(error)
  }
}
