// Whether a server is known to be away: then reads fail at once with the cause, and one connection at a time finds out
// when it is back. Without it each of them would wait out all its tries, with its caller and a place in the queue.

import { setTimeout as sleep } from 'node:timers/promises'
import { StoreError } from '../errors.ts'
import type { Notice } from '../options.ts'

const LOOK_MS = 250

export interface OutageOptions {
  /** Rejects while the server is away. */
  readonly look: () => Promise<unknown>
  readonly closing: AbortSignal
  readonly notice: Notice
}

export class Outage {
  readonly #options: OutageOptions
  #cause: StoreError | null = null

  constructor(options: OutageOptions) {
    this.#options = options
  }

  /** Throws StoreError while the server is away. */
  refuse(): void {
    if (this.#cause === null) return
    const { code, message, sqlState } = this.#cause
    throw new StoreError(code, message, { cause: this.#cause, sqlState })
  }

  /** A read has used up its tries. */
  begin(cause: StoreError): void {
    const isOn = this.#cause !== null
    this.#cause = cause
    if (!isOn) void this.#untilBack()
  }

  async #untilBack(): Promise<void> {
    const { look, closing, notice } = this.#options
    notice('database unreachable: reads are refused until it answers', { cause: this.#cause?.message })
    while (!closing.aborted) {
      await sleep(LOOK_MS, undefined, { signal: closing, ref: false }).catch(() => undefined)
      const isBack = await look().then(
        () => true,
        () => false,
      )
      if (isBack) break
    }
    this.#cause = null
    if (!closing.aborted) notice('database reachable again', {})
  }
}
