// Background work done round by round while there is any, and looked for again after a pause.

import type { Log } from '../observe/index.ts'
import { pause } from '../process/index.ts'

export interface RoundsOptions {
  /** Does some of the work; resolves with how much there was. */
  readonly round: (signal: AbortSignal) => Promise<number>
  readonly pollMs: number
  /** What is delayed when a round fails, for the log. */
  readonly waiting: string
  readonly log: Pick<Log, 'warn'>
}

const TROUBLE_MS = 10_000

export class Rounds {
  readonly #options: RoundsOptions
  readonly #end = new AbortController()
  readonly #done: Promise<void>

  constructor(options: RoundsOptions) {
    this.#options = options
    this.#done = this.#run()
  }

  async close(): Promise<void> {
    this.#end.abort()
    await this.#done
  }

  async #run(): Promise<void> {
    const { pollMs, round, log, waiting } = this.#options
    const { signal } = this.#end
    while (!signal.aborted) {
      try {
        if ((await round(signal)) === 0) await pause(pollMs, signal)
      } catch (error) {
        // The database failed: anything a host does is a result.
        if (signal.aborted) return
        log.warn({ err: error }, `${waiting} paused: the database failed`)
        await pause(TROUBLE_MS, signal)
      }
    }
  }
}
