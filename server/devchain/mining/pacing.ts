// Contracts may call each other as long as they have TON, and a contract that calls itself may never end. The first blocks
// of such a trace are made at once, as those of any other; then it gets a small block each second, so that the index keeps
// up and readers and other senders get their share. A new message ends the pause.

import type { CollationLimits } from '../collate/index.ts'

/** Blocks in a row without anything new that are made at once. */
const FREE_BLOCKS = 8
/** At least this many follow a new message, so that an older trace does not delay what it causes. */
const FREE_AFTER_INPUT = 4
const PAUSE_MS = 1000
/** Limits of a block that only continues old traces. */
export const SMALL_BLOCK: CollationLimits = { maxTransactions: 100, maxMs: 50 }
/** Limits of a block that holds messages of any size, and all they lead to. */
export const TINY_BLOCK: CollationLimits = { maxTransactions: 4, maxMs: 50 }

export class Pacing {
  /** Blocks in a row without anything new. */
  #blocks = 0
  #endPause: (() => void) | null = null

  get isSlow(): boolean {
    return this.#blocks >= FREE_BLOCKS
  }

  count(hasInput: boolean): void {
    this.#blocks = hasInput ? Math.min(this.#blocks, FREE_BLOCKS - FREE_AFTER_INPUT) : this.#blocks + 1
  }

  /** No message is in flight any more. */
  reset(): void {
    this.#blocks = 0
  }

  /** Resolves after the pause, or when `end` is called. */
  async pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PAUSE_MS)
      timer.unref()
      this.#endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#endPause = null
  }

  end(): void {
    this.#endPause?.()
  }
}
