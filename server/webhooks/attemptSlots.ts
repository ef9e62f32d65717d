// How many attempts are made at once: hundreds of webhooks of one key may name one endpoint, which must not be flooded by a
// block that concerns them all.

/** Of one key to one endpoint. */
const MOST_AT_ONCE = 8

interface Line {
  taken: number
  /** In the order in which they came. */
  readonly waiting: Set<() => void>
}

export class AttemptSlots {
  readonly #lines = new Map<string, Line>()

  /** Runs work once there is room for it. Rejects with the signal's reason when that aborts first. */
  async run<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(name, signal)
    try {
      return await work()
    } finally {
      this.#leave(name)
    }
  }

  #enter(name: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason)
    const line = this.#lines.get(name) ?? { taken: 0, waiting: new Set() }
    this.#lines.set(name, line)
    if (line.taken < MOST_AT_ONCE) {
      line.taken++
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        line.waiting.delete(begin)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      line.waiting.add(begin)
    })
  }

  /** The slot goes to the next one, or is free. */
  #leave(name: string): void {
    const line = this.#lines.get(name)
    if (line === undefined) return
    const [next] = line.waiting
    if (next !== undefined) {
      line.waiting.delete(next)
      next()
      return
    }
    line.taken--
    if (line.taken === 0) this.#lines.delete(name)
  }
}
