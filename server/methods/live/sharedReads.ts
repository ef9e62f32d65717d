// Reads of several readers who are at the same place of a large trace: each is made once.

import { LRUCache } from 'lru-cache'

/** What was read may be wanted by readers that are a little behind. Of all places together. */
const MOST_BYTES = 32 << 20

export class SharedReads {
  readonly #running = new Map<string, Promise<unknown>>()
  readonly #kept = new LRUCache<string, object>({ maxSize: MOST_BYTES })
  #readers = 0

  /** Without readers nothing is kept. Returns how a reader leaves. */
  enter(): () => void {
    this.#readers++
    return () => {
      if (--this.#readers === 0) this.#kept.clear()
    }
  }

  /** What is at a place, whose name says all that its value depends on. A failure is that of those who wait for it. */
  async of<T extends object>(place: string, read: () => Promise<T>, bytesOf: (value: T) => number): Promise<T> {
    // The casts: a name stands for values of one type.
    const kept = this.#kept.get(place) as T | undefined
    if (kept !== undefined) return kept
    const running = this.#running.get(place) as Promise<T> | undefined
    if (running !== undefined) return await running
    const reading = read()
    this.#running.set(place, reading)
    try {
      const value = await reading
      if (this.#readers > 0) this.#kept.set(place, value, { size: 1 + bytesOf(value) })
      return value
    } finally {
      this.#running.delete(place)
    }
  }
}
