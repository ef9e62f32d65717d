// Texts bounded by bytes. Those that were asked for again have a part of their own: a caller who walks through long pages, each of which is
// asked for once, does not push out what all the others ask for.

import { LRUCache } from 'lru-cache'
import { type FinishedText, sizeOfText } from './written.ts'

/** Of all bytes, for texts that were asked for again. The others have the rest. */
const AGAIN_PART = 1 / 2
/** Of an entry, beside its text and key. */
const BOOKKEEPING = 128

/** Two bytes a character is what text with anything beyond Latin-1 takes. */
const sizeOf = (text: FinishedText, key: string): number =>
  (typeof text === 'string' ? 2 * text.length : sizeOfText(text)) + 2 * key.length + BOOKKEEPING

export class TwoPartCache {
  readonly #most: number
  readonly #mostAgain: number
  readonly #once: LRUCache<string, FinishedText>
  readonly #again: LRUCache<string, FinishedText>

  constructor(bytes: number) {
    this.#most = Math.max(1, Math.floor(bytes))
    this.#mostAgain = Math.max(1, Math.floor(bytes * AGAIN_PART))
    this.#once = new LRUCache({ maxSize: this.#most, sizeCalculation: sizeOf })
    this.#again = new LRUCache({
      maxSize: this.#mostAgain,
      sizeCalculation: sizeOf,
      // What others have pushed out is the newest of the rest.
      disposeAfter: (text, key, reason) => {
        if (reason === 'evict') this.#once.set(key, text)
      },
    })
  }

  get bytes(): number {
    return this.#once.calculatedSize + this.#again.calculatedSize
  }

  get(key: string): FinishedText | undefined {
    const known = this.#again.get(key)
    if (known !== undefined) return known
    const text = this.#once.get(key)
    if (text === undefined || sizeOf(text, key) > this.#mostAgain) return text
    this.#once.delete(key)
    this.#again.set(key, text)
    return text
  }

  set(key: string, text: FinishedText): void {
    if (this.#again.has(key)) this.#again.set(key, text)
    else this.#once.set(key, text)
    while (this.bytes > this.#most && this.#once.size > 0) this.#once.pop()
  }

  clear(): void {
    this.#once.clear()
    this.#again.clear()
  }
}
