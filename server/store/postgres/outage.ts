// While a server is known to be down, reads fail at once with the cause, and one connection at a time probes it. Without that
// each read would go through all its retries, with its caller waiting and its entry in the queue.

import { setTimeout as sleep } from 'node:timers/promises'
import { StoreError } from '../storeError.ts'

const PROBE_MS = 250

export interface OutageOptions {
  /** Rejects while the server is down. */
  readonly probe: () => Promise<unknown>
  readonly closing: AbortSignal
  readonly onDown: (cause: StoreError) => void
  readonly onUp: () => void
}

export class Outage {
  readonly #options: OutageOptions
  #cause: StoreError | null = null

  constructor(options: OutageOptions) {
    this.#options = options
  }

  get isDown(): boolean {
    return this.#cause !== null
  }

  /** Throws StoreError while the server is down. */
  throwIfDown(): void {
    if (this.#cause === null) return
    const { code, message, sqlState } = this.#cause
    throw new StoreError(code, message, { cause: this.#cause, sqlState })
  }

  /** Call it when the last retry of a read failed. */
  begin(cause: StoreError): void {
    const isKnown = this.#cause !== null
    this.#cause = cause
    if (isKnown) return
    this.#options.onDown(cause)
    void this.#probeUntilUp()
  }

  async #probeUntilUp(): Promise<void> {
    const { probe, closing, onUp } = this.#options
    while (!closing.aborted) {
      await sleep(PROBE_MS, undefined, { signal: closing, ref: false }).catch(() => undefined)
      const isUp = await probe().then(
        () => true,
        () => false,
      )
      if (isUp) break
    }
    this.#cause = null
    if (!closing.aborted) onUp()
  }
}
