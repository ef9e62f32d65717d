// Sends messages again, to other servers first, until they are in a block: a server may accept a message and lose it.

import { LaneQueueFull, Lanes } from '../../fairness/index.ts'
import type { Chain } from '../chain.ts'
import { LiteError } from '../liteErrors.ts'
import type { LiteOptions } from '../liteServer.ts'
import { DEADLINE_MS, type ServerPool } from '../pool/index.ts'
import { followReverts } from '../reverts.ts'
import { type Clock, sleepOn, systemClock } from '../systemClock.ts'
import { addressOfSent, type Searched, searchSent } from './sentSearch.ts'

export interface SendingBounds {
  /** Over all callers; at the limit, the oldest message of the caller with the most bytes is dropped. */
  readonly messages: number
  readonly bytes: number
  readonly againMs: number
  readonly lifetimeMs: number
}

/** Messages of wallets expire after a minute. */
const sendingBounds: SendingBounds = { messages: 512, bytes: 4 << 20, againMs: 10_000, lifetimeMs: 60_000 }

export interface RepeatedSendingOptions {
  readonly pool: Pick<ServerPool, 'passOn'>
  readonly chain: Pick<Chain, 'head' | 'account' | 'transactions' | 'onHead' | 'traits'>
  readonly bounds?: Partial<SendingBounds>
  readonly clock?: Clock
}

export interface RepeatedSending {
  send(message: Uint8Array, options?: LiteOptions): Promise<void>
  /** Messages not yet seen in a block. */
  readonly waiting: number
  /** How often messages were sent again. */
  readonly repeated: number
  close(): void
}

const CALL_MS = 10_000
/** Limits of the searches and repeats, which compete with calls for the servers. */
const LANES = { total: 4, perCaller: 2, perTurn: 4, waitingPerCaller: 512 }
/** From a connection that ended to the search: another one is opened, and a block of the message may come. */
const UNANSWERED_MS = 1_000
/** A message may be what ends the connections. */
const MOST_TRIES = 3
/** Clocks of validators differ. */
const CLOCK_S = 60
/** Without the time of the newest block, all transactions of the account are searched. */
const EVER = 0

interface Sent extends Searched {
  readonly message: Uint8Array
  readonly share: string
  /** Servers it was sent to. */
  readonly given: Set<string>
  readonly end: AbortController
}

const errorOf = (error: unknown): unknown => error

const wasCut = (error: unknown): boolean => error instanceof LiteError && error.kind === 'cancelled'

class Repeating implements RepeatedSending {
  repeated = 0
  readonly #pool: RepeatedSendingOptions['pool']
  readonly #chain: RepeatedSendingOptions['chain']
  readonly #bounds: SendingBounds
  readonly #clock: Clock
  readonly #lanes = new Lanes(LANES)
  readonly #forget: () => void
  /** Oldest first. */
  readonly #kept = new Map<string, Sent>()
  #bytes = 0
  /** How often all were dropped. */
  #drops = 0

  constructor({ pool, chain, bounds, clock = systemClock }: RepeatedSendingOptions) {
    this.#pool = pool
    this.#chain = chain
    this.#bounds = { ...sendingBounds, ...bounds }
    this.#clock = clock
    // Sent again, a message from before a revert would bring back what was undone.
    this.#forget = followReverts(chain, () => this.#dropAll())
  }

  get waiting(): number {
    return this.#kept.size
  }

  async send(message: Uint8Array, { share = '', ...options }: LiteOptions = {}): Promise<void> {
    const given = new Set<string>()
    const drops = this.#drops
    const since = this.#chain.head({ timeoutMs: CALL_MS }).then(
      ({ utime }) => utime - CLOCK_S,
      () => EVER,
    )
    const to = addressOfSent(message)
    if (to === null) return await this.#pool.passOn(message, given, options)
    const sent: Sent = { ...to, message, share, since, given, end: new AbortController(), seenLt: 0n }
    await this.#untilAnswered(sent, options)
    if (this.#kept.has(to.name) || drops !== this.#drops) return
    this.#kept.set(to.name, sent)
    this.#bytes += message.length
    while (this.#kept.size > this.#bounds.messages || this.#bytes > this.#bounds.bytes) this.#drop(this.#surplus(sent))
    void this.#repeat(sent)
  }

  /**
   * A connection that ends before the answer does not say whether the message was taken: it is searched for, and sent again
   * when no block has it. What refuses it then may have run it before.
   */
  async #untilAnswered(sent: Sent, options: LiteOptions): Promise<void> {
    const drops = this.#drops
    const { signal, timeoutMs = DEADLINE_MS } = options
    const deadline = this.#clock.now() + timeoutMs
    const left = (): LiteOptions => ({ ...options, timeoutMs: deadline - this.#clock.now() })
    const isOver = (): boolean => signal?.aborted || drops !== this.#drops || this.#clock.now() >= deadline
    for (let tries = 1; ; tries++) {
      const error = await this.#pool.passOn(sent.message, sent.given, left()).then(() => null, errorOf)
      if (error === null) return
      const isUnanswered = wasCut(error) && sent.given.size > 0
      if (isOver() || (tries === 1 && !isUnanswered)) throw error
      await sleepOn(this.#clock, UNANSWERED_MS, signal)
      if (isOver()) throw error
      const result = await searchSent(this.#chain, sent, left()).catch(() => 'unknown' as const)
      if (result === 'found') return
      if (result === 'unknown' || !isUnanswered || tries === MOST_TRIES) throw error
    }
  }

  close(): void {
    this.#forget()
    this.#dropAll()
  }

  /** The oldest message of the caller with the most bytes. */
  #surplus(newest: Sent): Sent {
    const bytesOf = new Map<string, number>()
    for (const { share, message } of this.#kept.values()) bytesOf.set(share, (bytesOf.get(share) ?? 0) + message.length)
    const most = Math.max(...bytesOf.values())
    for (const sent of this.#kept.values()) if (bytesOf.get(sent.share) === most) return sent
    return newest
  }

  /** Also those that are being taken. */
  #dropAll(): void {
    this.#drops++
    for (const sent of this.#kept.values()) this.#drop(sent)
  }

  #drop(sent: Sent): void {
    if (!this.#kept.delete(sent.name)) return
    this.#bytes -= sent.message.length
    sent.end.abort()
  }

  /** Until it is in a block, is refused, or is too old. Never rejects. */
  async #repeat(sent: Sent): Promise<void> {
    const { againMs, lifetimeMs } = this.#bounds
    const { signal } = sent.end
    const end = this.#clock.now() + lifetimeMs
    for (;;) {
      await sleepOn(this.#clock, againMs, signal)
      if (signal.aborted || this.#clock.now() >= end) break
      try {
        await this.#lanes.enter(sent.share, signal)
      } catch (error) {
        if (error instanceof LaneQueueFull) continue
        break
      }
      const isOver = await this.#again(sent).finally(() => this.#lanes.leave(sent.share))
      if (isOver) break
    }
    this.#drop(sent)
  }

  /** Whether it is done. */
  async #again(sent: Sent): Promise<boolean> {
    const options = { timeoutMs: CALL_MS, signal: sent.end.signal }
    try {
      // Searched first: a contract without replay protection would run it twice.
      if ((await searchSent(this.#chain, sent, options)) !== 'absent') return true
      await this.#pool.passOn(sent.message, sent.given, options)
      this.repeated++
      return false
    } catch (error) {
      // Lost servers come back; a message refused by its contract now has expired or was executed meanwhile.
      return error instanceof LiteError && !error.isTransient
    }
  }
}

/** Sending that repeats until the message is in a block. */
export const createRepeatedSending = (options: RepeatedSendingOptions): RepeatedSending => new Repeating(options)
