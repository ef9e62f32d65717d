// Sends a message once and waits for what becomes of it. Equal messages of several calls, of other processes and of earlier
// runs are one: the index is read first, and a message is sent only when the index has all blocks of the chain.

import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../../shared/errors.ts'
import { type Chain, LiteError, readAccount, signedByComputer } from '../../node/index.ts'
import { timeLimit } from '../../process/index.ts'
import type { Sql } from '../../store/index.ts'
import type { Call } from '../call.ts'
import type { IndexProgress } from '../indexView.ts'
import { ChainAtIndex } from '../pending/chainAtIndex.ts'
import type { PendingMessages } from '../pending/pendingMessages.ts'
import { expiredError, refusedError, replacedError } from './lostMessage.ts'
import { type AwaitedMessage, hashesOf, readSentMessage } from './sentMessage.ts'
import { type SentWallet, sentWalletIn } from './sentWallet.ts'
import { type BlockLevel, type Fate, type InBlock, isReached, SentWatch } from './sentWatch.ts'
import { WaitSeats } from './waitSeats.ts'

export type Level = 'pending' | BlockLevel

export interface WaitOrder {
  readonly boc: Uint8Array
  readonly level: Level
  readonly timeoutMs: number
}

export interface Reached {
  readonly message: AwaitedMessage
  /** Null while no indexed block has it. */
  readonly inBlock: InBlock | null
}

export interface WaitingTools {
  readonly chain: Chain
  readonly store: Sql
  readonly index: IndexProgress
  readonly mempool: PendingMessages
  /** Aborted when the service stops: calls that wait are answered then. */
  readonly stopping?: AbortSignal | undefined
  readonly seats?: WaitSeats
  readonly followMs?: number | undefined
}

/** Time to send a message: it goes on when its caller leaves, or it would be unknown whether it was sent. */
const SENDING_MS = 10_000
/** Between two reads of an index that follows a revert. */
const PAUSE_MS = 25
/** Left of a call's time for its answer. */
const ANSWER_MS = 500

export class MessageWaits {
  readonly #tools: WaitingTools
  readonly #seats: WaitSeats
  readonly #watch: SentWatch
  readonly #atIndex: ChainAtIndex
  /** By normalised hash. */
  readonly #sending = new Map<string, Promise<void>>()

  constructor(tools: WaitingTools) {
    this.#tools = tools
    this.#seats = tools.seats ?? new WaitSeats()
    this.#watch = new SentWatch(tools.store, tools.index, tools.stopping)
    this.#atIndex = new ChainAtIndex(tools)
  }

  /** Rejects with ApiError for a message that is refused, lost, or not as far in time. */
  async run(order: WaitOrder, call: Call): Promise<Reached> {
    const message = await readSentMessage(order.boc, call)
    return await this.#seats.hold(call.caller.subject, () => this.#run(message, order, call))
  }

  /** Lists a message that an unfinished trace began with among the pending ones, also when another process sent it. */
  follow({ boc, hashNorm }: AwaitedMessage, { caller }: Call): void {
    const { mempool } = this.#tools
    if (!mempool.has(hashNorm)) mempool.add(boc, caller.subject)
  }

  async #run(message: AwaitedMessage, { level, timeoutMs }: WaitOrder, call: Call): Promise<Reached> {
    const end = Math.min(performance.now() + timeoutMs, (call.endsAt ?? Number.POSITIVE_INFINITY) - ANSWER_MS)
    const timeLeft = () => Math.max(0, end - performance.now())
    // A block that was reverted may have it in an index that has not followed yet.
    if (this.#tools.chain.traits.canRewind) await this.#atIndex.head()
    const known = (await this.#watch.find(message)) ?? (await this.#sendOnce(message, call, timeLeft))
    if (level === 'pending' || (known !== null && isReached(known, level))) return { message, inBlock: known }
    const limits = () => ({ signal: call.signal, timeoutMs: timeLeft() })
    const fate = await outside(call, () => this.#watch.until(message, level, limits()))
    return { message, inBlock: await this.#settled(message, level, fate) }
  }

  async #settled(message: AwaitedMessage, level: Level, fate: Fate | null): Promise<InBlock> {
    if (fate?.kind === 'inBlock') return fate
    if (fate?.kind === 'expired') throw expiredError(message, fate.wallet, this.#movedClock(fate.wallet))
    if (fate?.kind === 'replaced') throw await replacedError(this.#tools.store, message, fate.wallet)
    const text = `the message was sent and is not ${level} yet: call again to go on waiting`
    throw new ApiError('messagePending', text, { sent: hashesOf(message) })
  }

  /** The end of the error of a message that has expired because the clock of the chain was moved; else empty. */
  #movedClock({ order }: SentWallet): string {
    const { chain, index } = this.#tools
    const clocks = { chain: index.indexed()?.utime ?? 0, computer: Math.floor(Date.now() / 1000) }
    const isMoved = chain.traits.canRewind && (order?.validUntil ?? 0) > clocks.computer
    return isMoved ? `. ${signedByComputer(clocks)}` : ''
  }

  /** Sends the message unless it is sent already; returns where it is when a block has it. */
  async #sendOnce(message: AwaitedMessage, call: Call, timeLeft: () => number): Promise<InBlock | null> {
    const { mempool } = this.#tools
    if (mempool.has(message.hashNorm)) return null
    await this.#catchUp(call, timeLeft(), 'nothing was sent')
    const found = await this.#watch.find(message)
    if (found !== null) return found
    // An equal call may have sent it meanwhile.
    if (mempool.has(message.hashNorm)) return null
    try {
      await this.#send(message, call)
      return null
    } catch (error) {
      if (!(error instanceof LiteError) || error.isTransient) throw error
      return await this.#refused(message, error, call, timeLeft())
    }
  }

  /** Equal messages of calls at the same time are one. */
  #send(message: AwaitedMessage, { caller }: Call): Promise<void> {
    const { chain, mempool } = this.#tools
    const { name, boc } = message
    const running = this.#sending.get(name)
    if (running !== undefined) return running
    const sending = chain
      .send(boc, { signal: timeLimit(SENDING_MS), share: caller.subject })
      .then(() => void mempool.add(boc, caller.subject))
      .finally(() => this.#sending.delete(name))
    this.#sending.set(name, sending)
    return sending
  }

  /** A refused message may have been executed by a block that came meanwhile. */
  async #refused(message: AwaitedMessage, error: Error, call: Call, timeLeft: number): Promise<InBlock> {
    const { chain, store } = this.#tools
    await this.#catchUp(call, timeLeft, 'the message was refused')
    const found = await this.#watch.find(message)
    if (found !== null) return found
    const { account, utime } = await readAccount(chain, message.account, undefined, call.signal)
    throw await refusedError(message, error, { store, wallet: sentWalletIn(message, account), utime })
  }

  /** Resolves once the index has all blocks of the chain. */
  async #catchUp(call: Call, timeoutMs: number, what: string): Promise<void> {
    const { chain, index } = this.#tools
    const { signal } = call
    const end = performance.now() + timeoutMs
    const { seqno } = (await chain.head({ signal, isNewest: true })).id
    for (let left = timeoutMs; left >= 0; left = end - performance.now()) {
      const wait = () => index.waitFor(seqno, { signal, timeoutMs: left })
      if ((index.indexed()?.seqno ?? 0) < seqno && !(await outside(call, wait))) break
      if (!chain.traits.canRewind || ((await this.#atIndex.head())?.seqno ?? 0) >= seqno) return
      // It follows a revert, and was ahead of the chain before.
      await outside(call, () => sleep(PAUSE_MS))
      signal.throwIfAborted()
    }
    signal.throwIfAborted()
    const at = index.indexed()?.seqno ?? 0
    throw new ApiError('indexBehind', `index is behind: at ${at}, the chain at ${seqno}; ${what}`, { seqno: at })
  }
}

const outside = <T>({ outsideLane }: Call, wait: () => Promise<T>): Promise<T> =>
  outsideLane === undefined ? wait() : outsideLane(wait)
