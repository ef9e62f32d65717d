// Steps of a story wait for room on the disk. Given up, neither this process nor the next one could play the rest: it has its own
// times, and the chain's clock would have gone on.

import { failureText, pause } from '../../process/index.ts'
import { isDiskFull } from '../mining/index.ts'

/** Between two tries of a step that there is no room for. */
const PAUSE_MS = 1_000

export class RoomOnDisk {
  readonly #stopping: AbortSignal
  readonly #onFull: (why: string) => void
  /** Why the current step waits; null while it does not. */
  full: Error | null = null

  constructor(stopping: AbortSignal, onFull: (why: string) => void) {
    this.#stopping = stopping
    this.#onFull = onFull
  }

  /** Repeats a step until there is room for it; rejects as the step does, with LogFull only when it is stopped. */
  async forStep<T>(step: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const done = await step()
        this.full = null
        return done
      } catch (error) {
        if (!isDiskFull(error) || this.#stopping.aborted) throw error
        if (this.full === null) this.#onFull(failureText(error))
        this.full = error
        await pause(PAUSE_MS, this.#stopping)
      }
    }
  }
}
