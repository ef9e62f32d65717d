// Reads of several readers who are at the same place of a large trace: each is made once.

import { LRUCache } from 'lru-cache'

export interface SharedReadsOptions<T> {
  /** What is kept of all places together: it may be wanted by readers that are a little behind. */
  readonly mostBytes: number
  readonly bytesOf: (value: T) => number
}

export class SharedReads<T extends object> {
  readonly #running = new Map<string, Promise<T>>()
  readonly #kept: LRUCache<string, T>
  #readers = 0

  constructor({ mostBytes, bytesOf }: SharedReadsOptions<T>) {
    this.#kept = new LRUCache({ maxSize: mostBytes, sizeCalculation: (value) => 1 + bytesOf(value) })
  }

  /** Without readers nothing is kept. Returns how a reader leaves. */
  enter(): () => void {
    this.#readers++
    return () => {
      if (--this.#readers === 0) this.#kept.clear()
    }
  }

  /** What is at a place, whose name says all that its value depends on. A failure is that of those who wait for it. */
  async of(place: string, read: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(place) ?? this.#running.get(place)
    if (known !== undefined) return await known
    const reading = read()
    this.#running.set(place, reading)
    try {
      const value = await reading
      if (this.#readers > 0) this.#kept.set(place, value)
      return value
    } finally {
      this.#running.delete(place)
    }
  }
}
