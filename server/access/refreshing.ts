// Refreshes data in memory when the last refresh was too long ago.

interface RefreshingOptions {
  /** Wall clock in milliseconds. */
  readonly now: () => number
  readonly lagMs: number
  /** One at a time. When it rejects, the next caller tries again. */
  readonly refresh: () => Promise<void>
}

export class Refreshing {
  readonly #options: RefreshingOptions
  #refreshedAt = Number.NEGATIVE_INFINITY
  #running: Promise<void> | null = null

  constructor(options: RefreshingOptions) {
    this.#options = options
  }

  /** The refresh in flight, which begins now when it is time; null while what is held is new enough. */
  look(): Promise<void> | null {
    const age = this.#options.now() - this.#refreshedAt
    // A clock that was set back makes the age negative: better one look too many than none for an hour.
    if (age < 0 || age >= this.#options.lagMs) this.#running ??= this.#run().finally(() => (this.#running = null))
    return this.#running
  }

  /** After a change: a refresh in flight may have missed it, so another one follows. */
  async expire(): Promise<void> {
    await this.#running?.catch(() => undefined)
    this.#refreshedAt = Number.NEGATIVE_INFINITY
  }

  async #run(): Promise<void> {
    const startedAt = this.#options.now()
    await this.#options.refresh()
    this.#refreshedAt = startedAt
  }
}
