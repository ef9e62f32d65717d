// Calls that wait because every server is at its limit, in the order they came: each new one would otherwise take the place
// of those that have waited longest, which then end without an answer.

import { bounded } from '../bounded.ts'
import { LiteError } from '../liteErrors.ts'
import type { Clock } from '../systemClock.ts'

interface Patience {
  readonly ms: number
  readonly signal?: AbortSignal | undefined
}

export class WaitingLine {
  readonly #clock: Pick<Clock, 'after'>
  #last: Promise<void> = Promise.resolve()
  #length = 0

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock
  }

  get isEmpty(): boolean {
    return this.#length === 0
  }

  /** Runs the work of whoever is first; null for one that did not become it in time. */
  async first<T>({ ms, signal }: Patience, work: () => Promise<T>): Promise<T | null> {
    const before = this.#last
    let leave: () => void = () => undefined
    const own = new Promise<void>((resolve) => {
      leave = resolve
    })
    this.#last = before.then(() => own)
    this.#length++
    try {
      const late = (): LiteError => new LiteError('timeout', 'timeout')
      const isFirst = await bounded({ clock: this.#clock, ms, signals: [signal], late }, () => before).then(
        () => true,
        () => false,
      )
      return isFirst ? await work() : null
    } finally {
      this.#length--
      leave()
    }
  }
}
