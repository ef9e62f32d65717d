// How long to wait before an empty block. While the chain is in use there is one each idle time; without calls the wait
// doubles up to a minute, because every block takes room on the disk.

/** Empty blocks at full pace after the last call. */
const FULL_PACE = 12
const LONGEST_MS = 60_000

export class Idling {
  readonly #idleMs: number
  /** Empty blocks since the last call. */
  #blocks = 0

  constructor(idleMs: number) {
    this.#idleMs = idleMs
  }

  /** Milliseconds from one block to the next empty one. */
  get delayMs(): number {
    const doublings = Math.min(Math.max(this.#blocks - FULL_PACE, 0), 30)
    return Math.max(this.#idleMs, Math.min(this.#idleMs * 2 ** doublings, LONGEST_MS))
  }

  /** Whether empty blocks come slower than at full pace, because no calls came. */
  get isSlow(): boolean {
    return this.delayMs > this.#idleMs
  }

  /** An empty block was made. */
  count(): void {
    this.#blocks++
  }

  /** A call came: back to full pace. True when the pace was slower before. */
  reset(): boolean {
    const wasSlow = this.isSlow
    this.#blocks = 0
    return wasSlow
  }
}
