// Steps of a story wait for room on the disk. A story that is given up can never be played to its end: its steps have times of
// their own, which the clock of the chain would have passed.

import { failureText, pause } from '../../process/index.ts'
import { isDiskFull } from '../mining/index.ts'

/** Between two attempts at a step that there is no room for. */
const PAUSE_MS = 1_000

export class RoomOnDisk {
  readonly #stopping: AbortSignal
  readonly #onFull: (why: string) => void
  #full: Error | null = null

  constructor(stopping: AbortSignal, onFull: (why: string) => void) {
    this.#stopping = stopping
    this.#onFull = onFull
  }

  /** Why the current step waits; null while none does. */
  get full(): Error | null {
    return this.#full
  }

  /** Repeats a step until there is room for it. Rejects as the step does, with LogFull only after a stop. */
  async forStep<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await this.#repeat(step)
    } finally {
      this.#full = null
    }
  }

  async #repeat<T>(step: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await step()
      } catch (error) {
        if (!isDiskFull(error) || this.#stopping.aborted) throw error
        if (this.#full === null) this.#onFull(failureText(error))
        this.#full = error
      }
      await pause(PAUSE_MS, this.#stopping)
    }
  }
}
