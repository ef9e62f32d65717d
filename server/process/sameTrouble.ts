// Trouble that lasts, such as a full disk, is logged when it begins and then from time to time.

/** Between two log lines of the same text. */
const AGAIN_MS = 600_000

export class SameTrouble {
  readonly #clock: () => number
  #last: { readonly text: string; readonly at: number } | null = null

  /** `clock`: milliseconds; only differences count. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  /** Whether it is to be logged. */
  isNew(text: string): boolean {
    const now = this.#clock()
    if (this.#last?.text === text && now < this.#last.at + AGAIN_MS) return false
    this.#last = { text, at: now }
    return true
  }

  /** What failed has succeeded. */
  end(): void {
    this.#last = null
  }
}
