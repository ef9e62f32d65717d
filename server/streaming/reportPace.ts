// Reporting to many readers leaves the event loop to others after a slice of time.

import { setImmediate as nextTurn } from 'node:timers/promises'

export interface Rests {
  /** Whether its slice of this turn is used up. */
  readonly isDue: boolean
  /** Resolves when the work may go on. */
  rest(): Promise<void>
}

/** Milliseconds of reporting in one turn. What is written leaves the process in the same turn and takes its own time. */
const SLICE_MS = 5

/** Of the streams: it goes on in the next turn whatever else waits, so that they do not fall behind the chain. */
export class ReportPace implements Rests {
  #end = performance.now() + SLICE_MS

  get isDue(): boolean {
    return performance.now() >= this.#end
  }

  async rest(): Promise<void> {
    await nextTurn()
    this.#end = performance.now() + SLICE_MS
  }
}
