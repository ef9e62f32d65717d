// Entries of the streams of a Redis, as XREAD returns them.

import type { RedisReply } from './redisReplies.ts'

export interface StreamEntry {
  readonly id: string
  /** When it was added, in milliseconds by the clock of the Redis. */
  readonly at: number
  readonly fields: ReadonlyMap<string, string>
}

const ID = /^(\d{1,20})-\d{1,20}$/

function readEntry(reply: RedisReply): StreamEntry {
  if (!Array.isArray(reply)) throw new Error('unexpected answer of Redis')
  const [id, list]: readonly RedisReply[] = reply
  const at = typeof id === 'string' ? ID.exec(id)?.[1] : undefined
  if (typeof id !== 'string' || at === undefined) throw new Error('unexpected answer of Redis')
  // An entry that was deleted meanwhile has no fields.
  const texts: readonly RedisReply[] = Array.isArray(list) ? list : []
  const fields = new Map<string, string>()
  for (let i = 0; i + 1 < texts.length; i += 2) {
    const name = texts[i]
    const value = texts[i + 1]
    if (typeof name === 'string' && typeof value === 'string') fields.set(name, value)
  }
  return { id, at: Number(at), fields }
}

/** New entries by the key of their stream. Throws for what XREAD does not answer. */
export function readEntries(reply: RedisReply): ReadonlyMap<string, readonly StreamEntry[]> {
  if (reply === null) return new Map()
  if (!Array.isArray(reply)) throw new Error('unexpected answer of Redis')
  return new Map(
    reply.map((stream: RedisReply) => {
      const [key, entries]: readonly RedisReply[] = Array.isArray(stream) ? stream : []
      if (typeof key !== 'string' || !Array.isArray(entries)) throw new Error('unexpected answer of Redis')
      return [key, entries.map(readEntry)] as const
    }),
  )
}

/** The clock of the Redis, in milliseconds. */
export function readTime(reply: RedisReply): number {
  const [seconds, micros] = Array.isArray(reply) ? reply.map(Number) : []
  const ms = (seconds ?? Number.NaN) * 1000 + (micros ?? Number.NaN) / 1000
  if (!Number.isFinite(ms)) throw new Error('unexpected answer of Redis')
  return Math.floor(ms)
}
