// The last answer of a server about its newest block, while it is recent enough to be reused.

import type { MasterchainInfo } from '../liteAnswers.ts'
import type { Clock } from '../systemClock.ts'

/** A waiting query is answered within 10 s, and a plain one after it within 5 s. */
const HELD_MS = 16_000

export class HeardInfo {
  readonly #clock: Pick<Clock, 'now'>
  #heard: { readonly info: MasterchainInfo; readonly at: number } | null = null
  /** What was read last: one object for all reads of a second. */
  #shown: MasterchainInfo | null = null

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  set(info: MasterchainInfo): void {
    this.#heard = { info, at: this.#clock.now() }
    this.#shown = null
  }

  forget(): void {
    this.#heard = null
  }

  /** With the server's clock extrapolated to now; null when it is too old. */
  read(): MasterchainInfo | null {
    const now = this.#clock.now()
    if (this.#heard === null || now - this.#heard.at >= HELD_MS) return null
    const { info, at } = this.#heard
    const theirs = info.now + Math.round((now - at) / 1_000)
    if (this.#shown?.now !== theirs) this.#shown = { ...info, now: theirs }
    return this.#shown
  }
}
