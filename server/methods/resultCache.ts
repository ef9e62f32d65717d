// Results that stay valid are cached as finished text, so that the next caller costs a look-up. Bounded by bytes.

import type { Freshness } from '../../shared/method.ts'
import { TwoPartCache } from './twoPartCache.ts'
import type { FinishedText } from './written.ts'

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
