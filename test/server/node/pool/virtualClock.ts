// Time that passes only while nothing else happens: it jumps from timer to timer as soon as no real work is left to wait
// for. A minute takes milliseconds, and no result depends on the speed of the machine.

import { type Clock, sleepOn } from '../../../../server/node/systemClock.ts'
import { Random } from '../../../setup/random.ts'

interface Timer {
  readonly at: number
  readonly wake: () => void
}

/** Turns of the event loop without work after which nothing more is going to happen at this time. */
const IDLE_TURNS = 3

export class VirtualClock implements Clock {
  readonly #random = new Random(7)
  readonly #timers = new Set<Timer>()
  #now = 0
  #working = 0
  #isOver = false

  constructor() {
    void this.#run()
  }

  now(): number {
    return this.#now
  }

  random(): number {
    return this.#random.unit()
  }

  after(ms: number, run: () => void): () => void {
    const timer: Timer = {
      at: this.#now + ms,
      wake: () => {
        this.#timers.delete(timer)
        run()
      },
    }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal)
  }

  /** Real work, during which virtual time stops. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#working++
    try {
      return await work
    } finally {
      this.#working--
    }
  }

  close(): void {
    this.#isOver = true
    for (const { wake } of [...this.#timers]) wake()
  }

  async #run(): Promise<void> {
    for (let idle = 0; !this.#isOver; ) {
      await new Promise(setImmediate)
      idle = this.#working > 0 ? 0 : idle + 1
      if (idle < IDLE_TURNS) continue
      idle = 0
      const next = [...this.#timers].reduce<Timer | null>(
        (first, one) => (first && first.at <= one.at ? first : one),
        null,
      )
      if (next === null) continue
      this.#now = Math.max(this.#now, next.at)
      next.wake()
    }
  }
}
