// Names of subscribers that have ended: thousands may end at once, each with hundreds of names, which are forgotten in slices.

import { SlicedWork } from '../fairness/index.ts'

export class Forgetting {
  readonly #waiting: (() => void)[] = []
  #isRunning = false

  /** Not in the turn in which it comes: that has enough to do with each of them. */
  add(forget: () => void): void {
    this.#waiting.push(forget)
    if (!this.#isRunning) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    const slices = new SlicedWork({ subject: 'streams' })
    await slices.rest()
    for (let one = this.#waiting.pop(); one !== undefined; one = this.#waiting.pop()) {
      one()
      if (slices.isDue) await slices.rest()
    }
    this.#isRunning = false
  }
}
