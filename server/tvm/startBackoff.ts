// When a pool may start a thread again: after one that broke down, or that the system refused, it waits longer each time.

const firstBackoffMs = 100
const longestBackoffMs = 10_000
// Runs wait for 0.7 s where the system refuses the first thread: it may be for a moment only.
const patientStarts = 3

export class StartBackoff {
  readonly #again: () => void
  /** Threads that broke down since one was ready. */
  #failures = 0
  /** Threads the system refused since one was started, or has ended. */
  #refusals = 0
  #timer: NodeJS.Timeout | undefined

  /** `again` is called when a thread may be started. */
  constructor(again: () => void) {
    this.#again = again
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined
  }

  /** Threads break down one after the other. */
  get isBroken(): boolean {
    return this.#failures > 1
  }

  /** The system refuses threads for longer than runs wait. */
  get isRefused(): boolean {
    return this.#refusals > patientStarts
  }

  started(): void {
    this.#refusals = 0
  }

  ready(): void {
    this.#failures = 0
  }

  refused(): void {
    this.#refusals++
    this.#wait()
  }

  failed(): void {
    this.#refusals = 0
    this.#failures++
    this.#wait()
  }

  /** A thread was ended: in its place the system allows another one. */
  ended(): void {
    if (this.#refusals === 0) return
    this.#refusals = 0
    this.close()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #wait(): void {
    const delay = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (this.#failures + this.#refusals - 1))
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#again()
    }, delay)
  }
}
