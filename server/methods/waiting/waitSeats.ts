// How many calls may wait for blocks at once: in total, and for each caller.

import { ApiError } from '../../../shared/errors.ts'

export interface WaitBounds {
  readonly total: number
  readonly perCaller: number
}

/** A waiting call costs a few kilobytes and no work between blocks. */
const BOUNDS: WaitBounds = { total: 4096, perCaller: 256 }

export class WaitSeats {
  readonly #bounds: WaitBounds
  readonly #takenBy = new Map<string, number>()
  #taken = 0

  constructor(bounds: WaitBounds = BOUNDS) {
    this.#bounds = bounds
  }

  get taken(): number {
    return this.#taken
  }

  /** Runs with a seat. Throws ApiError `busy` when there is none for this caller. */
  async hold<T>(subject: string, run: () => Promise<T>): Promise<T> {
    const { total, perCaller } = this.#bounds
    const own = this.#takenBy.get(subject) ?? 0
    if (own >= perCaller) throw full(`${perCaller} of one caller at most`, perCaller)
    if (this.#taken >= total) throw full(`${total} at most`, total)
    this.#takenBy.set(subject, own + 1)
    this.#taken++
    try {
      return await run()
    } finally {
      this.#taken--
      const left = (this.#takenBy.get(subject) ?? 1) - 1
      if (left > 0) this.#takenBy.set(subject, left)
      else this.#takenBy.delete(subject)
    }
  }
}

const full = (words: string, limit: number): ApiError =>
  new ApiError('busy', `Too many calls wait for messages: ${words}; this message was not sent`, {
    limit,
    retryAfter: 1,
  })
