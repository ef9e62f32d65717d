/** Lets so many pieces of work run at once; the others wait in their order. */
export class Slots {
  readonly #count: () => number
  #busy = 0
  readonly #waiting: (() => void)[] = []

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
      for (; this.#waiting.length > 0 && this.#busy < this.#count(); this.#busy++) this.#waiting.shift()?.()
    }
  }
}
