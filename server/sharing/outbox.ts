// Messages and heads this process has yet to write to Redis. Bounded per caller and in total: beyond that a message is pending
// in this process alone.

import type { ChainKeys } from './chainKeys.ts'
import type { RedisConnection } from './redisConnection.ts'
import { RedisRefusal } from './redisReplies.ts'
import { MOST_BYTES, messageFields, type WaitingMessage } from './sharedMessage.ts'

export interface OutboxBounds {
  readonly messages: number
  readonly bytes: number
  readonly messagesPerCaller: number
  readonly bytesPerCaller: number
}

export const OUTBOX_BOUNDS: OutboxBounds = {
  messages: 1_000,
  bytes: 8 << 20,
  messagesPerCaller: 250,
  bytesPerCaller: 2 << 20,
}

/** Messages of all processes that Redis keeps. */
const MOST_KEPT = 1_000
const AT_ONCE = 32
/** A head is useful only while it is new. */
const HEAD_KEPT_MS = 60_000

export interface OutboxParts {
  readonly connection: RedisConnection
  /** Name of this process in the entries. */
  readonly origin: string
  readonly lifetimeMs: number
  readonly now: () => number
  readonly bounds: OutboxBounds
}

export class Outbox {
  readonly #parts: OutboxParts
  /** Messages of the last lifetime by their hash, oldest first. */
  readonly #recent = new Map<string, { readonly message: WaitingMessage; isShared: boolean }>()
  #head: number | null = null
  #isFlushing = false
  #isMore = false
  /** Why Redis refuses writes while it is reachable; null when it does not. */
  refusal: string | null = null
  published = 0
  dropped = 0

  constructor(parts: OutboxParts) {
    this.#parts = parts
  }

  add(message: WaitingMessage): void {
    this.#forgetExpired()
    const name = Buffer.from(message.hashNorm).toString('base64')
    if (this.#recent.has(name)) return
    if (!this.#hasRoom(message)) this.dropped++
    else this.#recent.set(name, { message, isShared: false })
  }

  addHead(seqno: number): void {
    this.#head = seqno
  }

  /** Writes what is queued, as far as Redis accepts it now. Never rejects. */
  async flush(keys: ChainKeys): Promise<void> {
    this.#isMore = true
    if (this.#isFlushing) return
    this.#isFlushing = true
    try {
      while (this.#isMore) {
        this.#isMore = false
        await this.#flushHead(keys)
        if (await this.#flushSome(keys)) this.#isMore = true
      }
      this.refusal = null
    } catch (error) {
      // A connection that was lost is reported elsewhere; what was not written waits for the next time.
      if (!(error instanceof RedisRefusal)) return
      this.refusal = error.message
      if (error.message.startsWith('READONLY')) this.#parts.connection.renew(error)
    } finally {
      this.#isFlushing = false
    }
  }

  async #flushHead({ heads }: ChainKeys): Promise<void> {
    const { origin } = this.#parts
    const seqno = this.#head
    if (seqno === null) return
    await this.#append(heads, 1, HEAD_KEPT_MS, ['from', origin, 'seqno', String(seqno)])
    if (this.#head === seqno) this.#head = null
  }

  async #flushSome({ messages: key }: ChainKeys): Promise<boolean> {
    this.#forgetExpired()
    const { origin, now, lifetimeMs } = this.#parts
    const waiting = [...this.#recent.values()].filter(({ isShared }) => !isShared).slice(0, AT_ONCE)
    const tries = await Promise.allSettled(
      waiting.map(async (one) => {
        const fields = ['from', origin, ...messageFields(one.message, now())]
        await this.#append(key, MOST_KEPT, 2 * lifetimeMs, fields)
        one.isShared = true
        this.published++
      }),
    )
    for (const one of tries) if (one.status === 'rejected') throw one.reason
    return waiting.length > 0
  }

  async #append(key: string, most: number, keptMs: number, fields: readonly string[]): Promise<void> {
    const { connection } = this.#parts
    const add = () => connection.send(['XADD', key, 'MAXLEN', String(most), '*', ...fields])
    await add().catch(async (error: unknown) => {
      // Not a stream, or one whose last possible id was taken: nothing of ours is in it.
      if (!(error instanceof RedisRefusal) || !/WRONGTYPE|exhausted/.test(error.message)) throw error
      await connection.send(['UNLINK', key])
      await add()
    })
    await connection.send(['PEXPIRE', key, String(keptMs)])
  }

  #forgetExpired(): void {
    const { now, lifetimeMs } = this.#parts
    for (const [name, { message }] of this.#recent) if (now() - message.since > lifetimeMs) this.#recent.delete(name)
  }

  #hasRoom({ boc, caller }: WaitingMessage): boolean {
    const { bounds } = this.#parts
    const all = [...this.#recent.values()].map(({ message }) => message)
    const own = all.filter((message) => message.caller === caller)
    const bytes = (list: readonly WaitingMessage[]): number => list.reduce((sum, one) => sum + one.boc.length, 0)
    const fits = (list: readonly WaitingMessage[], most: number, mostBytes: number): boolean =>
      list.length < most && bytes(list) + boc.length <= mostBytes
    return (
      boc.length <= MOST_BYTES &&
      fits(all, bounds.messages, bounds.bytes) &&
      fits(own, bounds.messagesPerCaller, bounds.bytesPerCaller)
    )
  }
}
