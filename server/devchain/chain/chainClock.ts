// The chain's clock: that of the machine plus an offset set by the caller; it never goes backwards.

import { LAST_UTIME, LATEST_CLOCK } from '../../../shared/mining.ts'

/** Milliseconds since 1970; the machine's clock unless a test has its own. */
export type Now = () => number

export class ChainClock {
  readonly #now: Now
  #offset: number
  /** The requested time of the next block. */
  #wanted: number | null = null
  /** The time that the clock was last moved to. */
  #movedTo = 0
  /** The time at which the clock is stopped. */
  #held: number | null = null

  constructor(now: Now, offset = 0) {
    this.#now = now
    this.#offset = offset
  }

  /** Seconds ahead of the machine. */
  get offset(): number {
    return this.#offset
  }

  set offset(seconds: number) {
    this.#offset = seconds
    this.#wanted = null
    this.#movedTo = seconds === 0 ? 0 : this.running
  }

  /** The time that the clock was last moved to; 0 when it follows the computer's. */
  get movedTo(): number {
    return this.#movedTo
  }

  /** The time of the clock, regardless of the newest block. */
  get time(): number {
    return this.#held ?? this.running
  }

  /** The time as if the clock had never been stopped. */
  get running(): number {
    return this.computer + this.#offset
  }

  /** Stops the clock at this time until it is released; not recorded in the journal. */
  hold(utime: number): void {
    this.#held = utime
  }

  release(): void {
    this.#held = null
  }

  /** Unix seconds of this computer. */
  get computer(): number {
    return Math.floor(this.#now() / 1000)
  }

  /**
   * Moves on from the time of the newest block or from now, whichever is later. Throws RangeError for a step back, and
   * for a time from which it could not run on for a year.
   */
  increase(seconds: number, newest: number): void {
    if (!Number.isSafeInteger(seconds) || seconds < 0)
      throw new RangeError(`Time moves on by whole seconds, not by ${seconds}`)
    const utime = Math.max(newest, this.time) + seconds
    if (utime > LATEST_CLOCK) throw new RangeError(`The time would be ${utime}: at most ${LATEST_CLOCK}`)
    this.#offset = utime - this.computer
    this.#movedTo = utime
    this.#wanted = null
  }

  /** Sets the time of the next block; the clock continues from there. Throws RangeError before `earliest`. */
  setNext(utime: number, earliest: number): void {
    if (!Number.isSafeInteger(utime) || utime < earliest || utime > LATEST_CLOCK)
      throw new RangeError(`The next block can be made from ${earliest} to ${LATEST_CLOCK}, not at ${utime}`)
    this.#wanted = utime
    this.#offset = utime - this.computer
    this.#movedTo = utime
  }

  /** Returns a function that restores the clock as it is now. */
  save(): () => void {
    const offset = this.#offset
    const wanted = this.#wanted
    const movedTo = this.#movedTo
    return () => {
      this.#offset = offset
      this.#wanted = wanted
      this.#movedTo = movedTo
    }
  }

  /** Follows the computer's clock again. Blocks never go back in time: they keep that of the last one until it has caught up. */
  reset(): void {
    this.offset = 0
  }

  /** The time that a block after one made at `previous` would have now. */
  upcoming(previous: number): number {
    return Math.min(Math.max(previous, this.#wanted ?? this.time), LAST_UTIME)
  }

  /** A block was made at the upcoming time, from which the clock continues. */
  passed(): void {
    this.#wanted = null
  }
}
