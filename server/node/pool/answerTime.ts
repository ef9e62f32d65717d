// How long a server took to answer. Large answers are read in turn with others: that time is ours.

import { LiteError } from '../liteErrors.ts'
import type { Clock } from '../systemClock.ts'

export class AnswerTime {
  readonly #clock: Clock
  readonly #begun: number
  #taken: number | null = null
  #unread: LiteError | null = null

  constructor(clock: Clock) {
    this.#clock = clock
    this.#begun = clock.now()
  }

  /** The answer is here. */
  stop(inTime: () => void): void {
    this.#taken ??= this.#clock.now() - this.#begun
    inTime()
  }

  /** The call is given up: for the server's sake, unless its answer was here. */
  late(text: string): LiteError {
    const isHere = this.#taken !== null
    const error = new LiteError('timeout', isHere ? 'a large answer was not read in time: too many at once' : text)
    if (isHere) this.#unread = error
    return error
  }

  /** Whether a call failed only because its answer was not read in time. */
  isOurs(error: unknown): boolean {
    return error !== null && this.#unread === error
  }

  /** Up to its answer, or until now. */
  get ms(): number {
    return this.#taken ?? this.#clock.now() - this.#begun
  }
}
