// Messages and heads of one chain that its processes share: this one writes its own, and reads those of the others as they
// come. Two streams in a Redis, read over a connection of their own that waits for the next entry.

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChainKeys, chainKeys } from './chainKeys.ts'
import { OUTBOX_BOUNDS, Outbox, type OutboxBounds } from './outbox.ts'
import { RedisConnection } from './redisConnection.ts'
import { ReplyTooLong } from './redisReplies.ts'
import { callerName, readSharedMessage, type SharedMessage } from './sharedMessage.ts'
import { readEntries, readTime, type StreamEntry } from './streamEntries.ts'

export interface SharedChainOptions {
  readonly address: string | (() => string)
  /** Root hash of the zerostate. Rejects while the chain does not answer. */
  readonly genesis: (signal: AbortSignal) => Promise<Uint8Array>
  /** How long a message waits for a block. */
  readonly lifetimeMs: number
  /** Called with a message of another process; returns whether it was taken. */
  readonly onMessage: (message: SharedMessage) => boolean
  /** Called when another process says that a masterchain block is indexed. */
  readonly onHead: (seqno: number) => void
  /** Called with why nothing is shared, and with null when it is again. */
  readonly onChange?: (trouble: string | null) => void
  readonly now?: () => number
  readonly bounds?: Partial<OutboxBounds>
  /** Milliseconds without an answer after which it connects again. */
  readonly answerMs?: number
}

export interface SharedCounts {
  /** Own messages that were written. */
  readonly published: number
  /** Own messages beyond the bounds. */
  readonly dropped: number
  /** Messages of other processes. */
  readonly taken: number
  /** Entries that are not of the expected form, known, or beyond the bounds. */
  readonly refused: number
}

const BLOCK_MS = 500
/** No caller waits for it, and a busy process reads answers late. */
const ANSWER_MS = 3_000
/** To look whether the first connection is there. */
const CONNECTING_MS = 20
const PER_READ = 16
/** After a full read: another process cannot take all the time of this one. */
const BREATH_MS = 20
const RETRY_MS = 250
const SEQNO = /^\d{1,10}$/

interface Place {
  messages: string
  heads: string
}

export class SharedChain {
  readonly #options: SharedChainOptions
  readonly #now: () => number
  readonly #origin = randomBytes(8).toString('hex')
  readonly #reading: RedisConnection
  readonly #writing: RedisConnection
  readonly #outbox: Outbox
  readonly #end = new AbortController()
  readonly #done: Promise<void>
  #keys: ChainKeys | null = null
  /** Last entries that were read; null before the first read over a connection. */
  #place: Place | null = null
  /** Whether what is there already cannot be read. */
  #skips = false
  #lost: string | null = null
  #readTrouble: string | null = 'not connected yet'
  #reported: string | null = null
  #taken = 0
  #refused = 0

  constructor(options: SharedChainOptions) {
    const { address, lifetimeMs, now = () => performance.now(), bounds, answerMs = ANSWER_MS } = options
    this.#options = options
    this.#now = now
    const onChange = (failure: Error | null): void => {
      this.#lost = failure?.message ?? null
    }
    this.#reading = new RedisConnection({ address, onChange, answerMs })
    this.#writing = new RedisConnection({ address, onChange: () => undefined, answerMs })
    this.#outbox = new Outbox({
      connection: this.#writing,
      origin: this.#origin,
      lifetimeMs,
      now,
      bounds: { ...OUTBOX_BOUNDS, ...bounds },
    })
    this.#done = this.#run()
  }

  /** Why nothing is shared; null while it is. */
  get trouble(): string | null {
    return this.#lost ?? this.#readTrouble ?? this.#outbox.refusal
  }

  get counts(): SharedCounts {
    const { published, dropped } = this.#outbox
    return { published, dropped, taken: this.#taken, refused: this.#refused }
  }

  publish(boc: Uint8Array, hashNorm: Uint8Array, subject: string): void {
    this.#outbox.add({ boc, hashNorm, caller: callerName(subject), since: this.#now() })
    this.#flush()
  }

  publishHead(seqno: number): void {
    this.#outbox.addHead(seqno)
    this.#flush()
  }

  async close(): Promise<void> {
    this.#end.abort()
    this.#reading.close()
    this.#writing.close()
    await this.#done
  }

  #flush(): void {
    if (this.#keys !== null) void this.#outbox.flush(this.#keys)
  }

  async #run(): Promise<void> {
    const { signal } = this.#end
    // One that cannot be reached is lost, which the first read reports.
    while (!signal.aborted && !this.#reading.isReady && this.#lost === null) await this.#pause(CONNECTING_MS)
    while (!signal.aborted) {
      let pauseMs = 0
      try {
        this.#keys ??= chainKeys(await this.#options.genesis(signal))
        pauseMs = await this.#read(this.#keys)
        this.#readTrouble = null
        this.#flush()
      } catch (error) {
        this.#readTrouble = error instanceof Error ? error.message : String(error)
        this.#place = null
        this.#skips ||= error instanceof ReplyTooLong
        pauseMs = RETRY_MS
      }
      this.#report()
      if (pauseMs > 0) await this.#pause(pauseMs)
    }
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#end.signal }).catch(() => undefined)
  }

  /** Waits for new entries and hands them on; returns how long to pause. */
  async #read(keys: ChainKeys): Promise<number> {
    const place = this.#place ?? (await this.#start())
    this.#place = place
    const options = ['COUNT', String(PER_READ), 'BLOCK', String(BLOCK_MS)]
    const streams = ['STREAMS', keys.messages, keys.heads, place.messages, place.heads]
    const found = readEntries(await this.#reading.send(['XREAD', ...options, ...streams]))
    const now = await this.#time()
    const messages = found.get(keys.messages) ?? []
    const heads = found.get(keys.heads) ?? []
    place.messages = messages.at(-1)?.id ?? place.messages
    place.heads = heads.at(-1)?.id ?? place.heads
    // Ids ahead of the clock: it was set back, or someone chose them. The next ones may be smaller.
    if (found.size === 0 && [place.messages, place.heads].some((id) => Number.parseInt(id, 10) > now))
      this.#place = null
    this.#takeHeads(heads)
    for (const entry of messages) this.#takeMessage(entry, now)
    return messages.length < PER_READ ? 0 : BREATH_MS
  }

  async #start(): Promise<Place> {
    const now = await this.#time()
    const from = `${now - (this.#skips ? 0 : this.#options.lifetimeMs)}-0`
    this.#skips = false
    return { messages: from, heads: from }
  }

  async #time(): Promise<number> {
    return readTime(await this.#reading.send(['TIME']))
  }

  #takeHeads(entries: readonly StreamEntry[]): void {
    const fields = entries.at(-1)?.fields
    const seqno = fields?.get('seqno') ?? ''
    if (SEQNO.test(seqno) && fields?.get('from') !== this.#origin) this.#options.onHead(Number(seqno))
  }

  #takeMessage(entry: StreamEntry, now: number): void {
    if (entry.fields.get('from') === this.#origin) return
    const { lifetimeMs, onMessage } = this.#options
    const message = readSharedMessage(entry, { now, lifetimeMs })
    if (message !== null && onMessage(message)) this.#taken++
    else this.#refused++
  }

  #report(): void {
    const { trouble } = this
    const changed = (trouble === null) !== (this.#reported === null)
    this.#reported = trouble
    if (changed && !this.#end.signal.aborted) this.#options.onChange?.(trouble)
  }
}
