// Reporting to many readers leaves the event loop to others after a slice of time.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Sink } from './subscriber.ts'

export interface Rests {
  /** Whether its slice of this turn is used up. */
  readonly isDue: boolean
  /** Resolves when the work may go on. */
  rest(): Promise<void>
  /** Resolves when readers have taken a large notification, or their time has passed. */
  taken?(readers: readonly Sink[]): Promise<void>
}

/** Milliseconds of reporting in one turn. What is written leaves the process in the same turn and takes its own time. */
const SLICE_MS = 5

/** Maximum milliseconds for readers of large notifications in one block: all other readers wait meanwhile. */
const TAKING_MS = 250
/** The same of a block that only those are sent who receive a large trace of it. */
export const TAKING_ASIDE_MS = 30_000

/** Of the streams: it goes on in the next turn whatever else waits, so that they do not fall behind the chain. */
export class ReportPace implements Rests {
  #end = performance.now() + SLICE_MS
  #takingMs: number
  readonly #now: () => number

  constructor(now = () => performance.now(), takingMs = TAKING_MS) {
    this.#now = now
    this.#takingMs = takingMs
  }

  get isDue(): boolean {
    return performance.now() >= this.#end
  }

  async rest(): Promise<void> {
    await nextTurn()
    this.#end = performance.now() + SLICE_MS
  }

  async taken(readers: readonly Sink[]): Promise<void> {
    if (this.#takingMs <= 0) return
    const began = this.#now()
    await Promise.all(readers.map((reader) => reader.drained(this.#takingMs)))
    this.#takingMs -= this.#now() - began
    this.#end = performance.now() + SLICE_MS
  }
}
