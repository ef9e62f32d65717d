/** Lets so many pieces of work run at once; the others wait in their order. */
export class Slots {
  readonly #count: () => number
  #busy = 0
  /** Those up to `#next` run already: `shift` would move all others, of which a revert may have hundreds of thousands. */
  #waiting: (() => void)[] = []
  #next = 0

  constructor(count: number | (() => number)) {
    this.#count = typeof count === 'number' ? () => count : count
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy < this.#count()) this.#busy++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      this.#busy--
      this.#begin()
    }
  }

  #begin(): void {
    for (; this.#next < this.#waiting.length && this.#busy < this.#count(); this.#busy++)
      this.#waiting[this.#next++]?.()
    if (2 * this.#next <= this.#waiting.length) return
    this.#waiting = this.#waiting.slice(this.#next)
    this.#next = 0
  }
}
