// While a server is known to be down, reads fail at once with the cause, and one connection at a time probes it. Without that
// each read would go through all its retries, with its caller waiting and its entry in the queue.

import { pause } from '../../process/index.ts'
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
  /** Of the outage that is probed now. */
  #number = 0

  constructor(options: OutageOptions) {
    this.#options = options
  }

  get isDown(): boolean {
    return this.#cause !== null
  }

  /** What a read fails with while the server is down; null while it is not. */
  get error(): StoreError | null {
    if (this.#cause === null) return null
    const { code, message, sqlState } = this.#cause
    return new StoreError(code, message, { cause: this.#cause, sqlState })
  }

  /** Call it when the last retry of a read failed. */
  begin(cause: StoreError): void {
    const isKnown = this.#cause !== null
    this.#cause = cause
    if (isKnown) return
    this.#options.onDown(cause)
    void this.#probeUntilUp(++this.#number)
  }

  /** Call it when the server answered a read that was no probe: the next reads do not wait for a probe. */
  end(): void {
    if (this.#cause === null) return
    this.#cause = null
    if (!this.#options.closing.aborted) this.#options.onUp()
  }

  async #probeUntilUp(number: number): Promise<void> {
    const { probe, closing } = this.#options
    const isOver = () => this.#cause === null || this.#number !== number
    while (!closing.aborted) {
      await pause(PROBE_MS, closing, { ref: false })
      if (isOver()) return
      const isUp = await probe().then(
        () => true,
        () => false,
      )
      if (isOver()) return
      if (isUp) break
    }
    this.end()
  }
}
