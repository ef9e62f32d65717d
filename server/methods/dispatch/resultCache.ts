// Results that stay valid are cached as finished text, so that the next caller costs a look-up. Bounded by bytes.

import { LRUCache } from 'lru-cache'
import type { Freshness } from '../../../shared/method.ts'
import { type FinishedText, sizeOfText } from '../written.ts'

/** Since the start, but for what is there now. */
export interface CacheStats {
  readonly hits: number
  readonly misses: number
  readonly bytes: number
}

export interface ResultCache {
  get(freshness: Freshness, key: string): FinishedText | undefined
  /** Counts a call that was not answered from here: it may look more than once. */
  missed(): void
  /** `began` is the `moment` at which the work on the result began. */
  set(freshness: Freshness, key: string, text: FinishedText, began: number): void
  /** Whether a result whose work began at that `moment` may answer a call of now. */
  isCurrent(freshness: Freshness, began: number): boolean
  /** A new masterchain block: results of the last one are dropped. */
  newBlock(): void
  /** The index has new blocks: older results of it are dropped. From the first time on, results are kept. */
  newIndexed(): void
  /** The index moves now, or no longer reports its progress: cached results of it are dropped, and no new ones are kept. */
  leaveIndex(): void
  /** Number of all these events. */
  readonly moment: number
  readonly stats: CacheStats
}

/** Maximum length of a key: calls with larger params are not cached. */
const MOST_KEY_LENGTH = 4096
const ROOMS = 3

/**
 * One text for all equal calls. Names come from a schema, so only names and values, and texts and other JSON, must not
 * run into each other: a text is led by its length.
 */
export function cacheKey(name: string, params: Record<string, unknown>): string {
  let key = name
  for (const param in params) {
    const value = params[param]
    key += typeof value === 'string' ? ` ${param}:${value.length}:${value}` : ` ${param}=${JSON.stringify(value)}`
  }
  return key
}

/** Short pieces share a buffer with others, all of which would stay. */
function ownBytes(piece: Buffer): Buffer {
  if (piece.length === piece.buffer.byteLength) return piece
  const own = Buffer.allocUnsafeSlow(piece.length)
  own.set(piece)
  return own
}

/** Of all bytes, for texts that were asked for again. The others have the rest. */
const AGAIN_PART = 1 / 2
/** Of an entry, beside its text and key. */
const BOOKKEEPING = 128

/** Two bytes a character is what text with anything beyond Latin-1 takes. */
const sizeOf = (text: FinishedText, key: string): number =>
  (typeof text === 'string' ? 2 * text.length : sizeOfText(text)) + 2 * key.length + BOOKKEEPING

/**
 * Texts bounded by bytes. Those that were asked for again have a part of their own: a caller who walks through long pages, each of which
 * is asked for once, does not push out what all the others ask for.
 */
class TwoPartCache {
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

/** Splits `bytes` evenly between results that never change, those of one block, and those of the current index. */
export function createResultCache(bytes: number): ResultCache {
  const room = () => new TwoPartCache(bytes / ROOMS)
  const rooms = { fixed: room(), block: room(), index: room() }
  let moment = 0
  let hits = 0
  let misses = 0
  let indexFollowed = false

  function isCurrent(freshness: Freshness, began: number): boolean {
    if (freshness === 'live' || (freshness === 'index' && !indexFollowed)) return false
    // A result that was read before the newest block is outdated.
    return freshness === 'fixed' || began === moment
  }

  function forget(freshness: 'block' | 'index'): void {
    moment++
    rooms[freshness].clear()
  }

  return {
    get(freshness, key) {
      const text = freshness === 'live' ? undefined : rooms[freshness].get(key)
      if (text !== undefined) hits++
      return text
    },
    missed() {
      misses++
    },
    set(freshness, key, text, began) {
      if (freshness === 'live' || !isCurrent(freshness, began)) return
      if (key.length <= MOST_KEY_LENGTH) rooms[freshness].set(key, typeof text === 'string' ? text : text.map(ownBytes))
    },
    isCurrent,
    newBlock: () => forget('block'),
    newIndexed() {
      indexFollowed = true
      forget('index')
    },
    leaveIndex() {
      indexFollowed = false
      forget('index')
    },
    get moment() {
      return moment
    },
    get stats() {
      const bytes = Object.values(rooms).reduce((sum, room) => sum + room.bytes, 0)
      return { hits, misses, bytes }
    },
  }
}
