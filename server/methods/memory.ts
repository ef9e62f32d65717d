// Answers that stay true are kept as finished text, so that the second caller costs a look-up. Bounded by bytes.

import { LRUCache } from 'lru-cache'
import type { Freshness } from '../../shared/method.ts'

export interface Memory {
  get(freshness: Freshness, key: string): string | undefined
  /** `began` is what `moment` was when the work on the answer began. */
  set(freshness: Freshness, key: string, text: string, began: number): void
  /** A new masterchain block: what was true of the last one is forgotten. */
  newBlock(): void
  /** The index has taken in more: what was true of it before is forgotten. From the first time on, answers are kept. */
  newIndexed(): void
  /** Nobody says any more when the index takes in more: answers out of it are forgotten, and not kept. */
  leaveIndex(): void
  /** Counts all of these. */
  readonly moment: number
}

/** Longest key kept: a call with larger params is not worth remembering. */
const LONGEST_KEY = 4096
const ROOMS = 3

/**
 * One text for all equal calls. Names come from a schema, so only names and values, and texts and other JSON, must not
 * run into each other: a text is led by its length.
 */
export function memoryKey(name: string, params: Record<string, unknown>): string {
  let key = name
  for (const param in params) {
    const value = params[param]
    key += typeof value === 'string' ? ` ${param}:${value.length}:${value}` : ` ${param}=${JSON.stringify(value)}`
  }
  return key
}

/** Splits `bytes` evenly between answers true for ever, true for one block, and true of the index as it is. */
export function createMemory(bytes: number): Memory {
  const room = () =>
    new LRUCache<string, string>({
      maxSize: Math.max(1, Math.floor(bytes / ROOMS)),
      // Two bytes a character is what text with anything beyond Latin-1 takes; the rest is bookkeeping.
      sizeCalculation: (text, key) => 2 * (text.length + key.length) + 128,
    })
  const rooms = { fixed: room(), block: room(), index: room() }
  let moment = 0
  let indexFollowed = false

  function forget(freshness: 'block' | 'index'): void {
    moment++
    rooms[freshness].clear()
  }

  return {
    get: (freshness, key) => (freshness === 'live' ? undefined : rooms[freshness].get(key)),
    set(freshness, key, text, began) {
      if (freshness === 'live' || (freshness === 'index' && !indexFollowed)) return
      // What was read before the last block came is true of the one before it.
      if (freshness !== 'fixed' && began !== moment) return
      if (key.length <= LONGEST_KEY) rooms[freshness].set(key, text)
    },
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
  }
}
