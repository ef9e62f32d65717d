// Sends messages again, to other servers first, until they are in a block: a server may accept a message and lose it.

import { hashToBytes, MAX_DEPTH, openCell, readBoc } from '../../cell/index.ts'
import { LaneQueueFull, Lanes } from '../../fairness/index.ts'
import { loadMessage, normalizedHash } from '../../tlb/index.ts'
import type { AccountId } from '../blockId.ts'
import type { Chain } from '../chain.ts'
import { LiteError } from '../liteErrors.ts'
import type { LiteOptions } from '../liteServer.ts'
import type { ServerPool } from '../pool/index.ts'
import { followReverts } from '../reverts.ts'
import { type Clock, sleepOn, systemClock } from '../systemClock.ts'

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
const PAGE = 16
/** Pages of one account's transactions per search. An account with more is too busy to be searched. */
const MOST_PAGES = 16
/** Clocks of validators differ. */
const CLOCK_S = 60
/** Without the time of the newest block, all transactions of the account are searched. */
const EVER = 0

interface Sent {
  readonly message: Uint8Array
  readonly account: AccountId
  readonly name: string
  readonly share: string
  /** Unix seconds by the chain, whose transactions it is compared with: this machine's clock may be wrong. */
  readonly since: Promise<number>
  /** Servers it was sent to. */
  readonly given: Set<string>
  readonly end: AbortController
  /** Transactions up to this lt have been searched. */
  seenLt: bigint
}

const nameOf = (hash: Uint8Array): string => Buffer.from(hash).toString('base64')

/** Null for bytes that are no message to an account. */
function addressed(message: Uint8Array): { readonly name: string; readonly account: AccountId } | null {
  try {
    const parsed = loadMessage(openCell(readBoc(message, { maxDepth: MAX_DEPTH })))
    if (parsed.info.kind !== 'externalIn' || parsed.info.dest.kind !== 'std') return null
    const { workchain, hash } = parsed.info.dest
    return { name: nameOf(hashToBytes(normalizedHash(parsed))), account: { workchain, hash } }
  } catch {
    return null
  }
}

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
    await this.#pool.passOn(message, given, options)
    const to = addressed(message)
    if (to === null || this.#kept.has(to.name) || drops !== this.#drops) return
    const sent: Sent = { ...to, message, share, since, given, end: new AbortController(), seenLt: 0n }
    this.#kept.set(to.name, sent)
    this.#bytes += message.length
    while (this.#kept.size > this.#bounds.messages || this.#bytes > this.#bounds.bytes) this.#drop(this.#surplus(sent))
    void this.#repeat(sent)
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
      if (await this.#isOver(sent)) return true
      await this.#pool.passOn(sent.message, sent.given, options)
      this.repeated++
      return false
    } catch (error) {
      // Lost servers come back; a message refused by its contract now has expired or was executed meanwhile.
      return error instanceof LiteError && !error.isTransient
    }
  }

  /** Whether it is in a block, or its account has too many transactions to say that it is not. */
  async #isOver(sent: Sent): Promise<boolean> {
    const options = { timeoutMs: CALL_MS, signal: sent.end.signal }
    const { account } = sent
    const { id } = await this.#chain.head(options)
    const { shardAccount } = await this.#chain.account(id, account, options)
    if (shardAccount === null) return false
    const since = await sent.since
    let at = { lt: shardAccount.lastTransLt, hash: shardAccount.lastTransHash }
    for (let page = 0; at.lt > sent.seenLt; page++) {
      if (page === MOST_PAGES) return true
      const found = await this.#chain.transactions({ account, ...at, count: PAGE }, options)
      for (const { transaction } of found) {
        if (transaction.lt <= sent.seenLt || transaction.now < since) return this.#seen(sent, shardAccount)
        if (isOf(sent, transaction.inMessage)) return true
        at = { lt: transaction.prevLt, hash: transaction.prevHash }
      }
      if (found.length === 0) break
    }
    return this.#seen(sent, shardAccount)
  }

  #seen(sent: Sent, { lastTransLt }: { readonly lastTransLt: bigint }): false {
    sent.seenLt = lastTransLt
    return false
  }
}

function isOf({ name }: Sent, message: Parameters<typeof openCell>[0] | null): boolean {
  if (message === null) return false
  const parsed = loadMessage(openCell(message))
  return parsed.info.kind === 'externalIn' && nameOf(hashToBytes(normalizedHash(parsed))) === name
}

/** Sending that repeats until the message is in a block. */
export const createRepeatedSending = (options: RepeatedSendingOptions): RepeatedSending => new Repeating(options)
