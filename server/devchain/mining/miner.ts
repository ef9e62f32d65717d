// Decides when a step is made and of which messages, and reports outcomes to senders.

import type { BinaryHash } from '../../cell/index.ts'
import { ChangeDropped } from '../../node/index.ts'
import { failureText, SameTrouble } from '../../process/index.ts'
import { type ChangeQueue, chainClosing, type GrowingChain, NOTHING_TO_DO, type StepWork } from '../chain/index.ts'
import { BlockTooLarge, type External, type ExternalOutcome, type Injected } from '../collate/index.ts'
import type { Mempool } from '../mempool/index.ts'
import type { AccountPatch } from '../state/index.ts'
import type { Warn } from '../warn.ts'
import { ByHand, type Changes } from './byHand.ts'
import { hasUndelivered } from './hasUndelivered.ts'
import { Idling } from './idling.ts'
import { checkMode, type MiningMode } from './mode.ts'
import { Pacing, SMALL_BLOCK, TINY_BLOCK } from './pacing.ts'
import { isDiskBroken, isDiskFull, notMade, stepWork } from './stepWork.ts'

export interface MinerParts {
  readonly chain: GrowingChain
  readonly pool: Mempool
  readonly turns: ChangeQueue
  /** Milliseconds without a message after which an empty step is made, in mode `auto`, while the chain is used. */
  readonly idleBlockMs: number
  /** Maximum external messages in one block, so that the messages they cause have room too. */
  readonly maxExternals: number
  /** Whether messages wait for what has to be read from another network: blocks do not get them on until then. */
  readonly isWaiting: () => boolean
  readonly warn: Warn
}

/** Changes of control methods that may wait for a block: in mode `manual` there may be none for long. */
const MOST_BY_HAND = 1000
/** Limit of `settle`: contracts may call each other as long as they have TON. */
const MAX_SETTLING = 100
/** Pause after a step without disk space; then another message may try. */
const FULL_MS = 5_000

export class Miner {
  readonly #parts: MinerParts
  #mode: MiningMode = 'manual'
  #timer: NodeJS.Timeout | null = null
  #failure: unknown = null
  #driving = false
  /** Whether something came in since the last step began. */
  #isWoken = false
  #closed = false
  #byHand = new ByHand()
  readonly #idling: Idling
  /** Whether an empty step was made since the last call. */
  #isIdle = false
  readonly #pacing = new Pacing()
  readonly #trouble = new SameTrouble()
  #lastStep = performance.now()
  /** When the next step is due. */
  #dueAt = Number.POSITIVE_INFINITY

  constructor(parts: MinerParts) {
    this.#parts = parts
    this.#idling = new Idling(parts.idleBlockMs)
  }

  get mode(): MiningMode {
    return this.#mode
  }

  /** Throws RangeError for an interval out of range. */
  setMode(mode: MiningMode): void {
    this.#mode = checkMode(mode)
    this.#idling.reset()
    this.#schedule()
    this.wake()
  }

  /** Whether there were calls lately; always true in other modes than `auto`, which alone counts empty blocks. */
  get isUsed(): boolean {
    return !this.#idling.isSlow
  }

  /** Milliseconds within which the next step is due if nothing happens; null when it never is. */
  get nextStepMs(): number | null {
    if (this.#mode === 'manual') return null
    return this.#mode === 'auto' ? this.#idling.delayMs : this.#mode.everyMs
  }

  /** Why the last step failed; null when it did not. */
  get trouble(): string | null {
    return this.#failure === null ? null : failureText(this.#failure)
  }

  /** Throws once the disk has failed; while it is full only where a message is acknowledged before it is in a block. */
  refuseWhileFull(): void {
    const isFull = isDiskFull(this.#failure) && performance.now() - this.#lastStep < FULL_MS
    if (isDiskBroken(this.#failure) || (isFull && this.#mode !== 'auto')) throw this.#failure
  }

  /** Milliseconds for which the next step is overdue. */
  get lateMs(): number {
    return Math.max(0, performance.now() - this.#dueAt)
  }

  /** The chain is in use: empty steps come at full pace again, the next one at once when it is overdue. */
  touch(): void {
    if (!this.#isIdle) return
    this.#isIdle = false
    if (this.#idling.reset() && this.#mode === 'auto') this.#schedule()
  }

  /** Starts a step if there is work. Messages that arrive in the same turn of the event loop share a block. */
  wake(): void {
    this.#pacing.end()
    this.#isWoken = true
    if (this.#mode !== 'auto' || this.#driving || this.#closed) return
    this.#driving = true
    setImmediate(() => void this.#drive())
  }

  /** Changes an account by hand in the next step. Resolves when it is made. */
  patch(patch: AccountPatch): Promise<void> {
    this.#refuseByHand()
    const done = this.#byHand.patch(patch)
    this.wake()
    return done
  }

  /** Delivers a made-up message in the next step. Resolves with its hash when it is made. */
  inject(injected: Injected): Promise<BinaryHash> {
    this.#refuseByHand()
    const done = this.#byHand.inject(injected)
    this.#parts.pool.expect(done)
    this.wake()
    return done
  }

  /** Makes `count` steps, in any mode. */
  async mine(count: number): Promise<void> {
    for (let made = 0; made < count; made++) await this.#parts.turns.take(() => this.#step())
  }

  /** Makes the next step without keeping it, so that what its messages wait for can be read before. */
  async rehearse(): Promise<void> {
    await this.#parts.turns.take(async () => {
      if (!this.#closed && this.#hasWork()) await this.#parts.chain.rehearse(stepWork(this.#parts, this.#byHand).work)
    })
  }

  /** Makes the steps that mode `auto` would make, until there are none, it is stopped, or the limit is reached. */
  async settle(isStopped = () => false): Promise<void> {
    for (let steps = 0; steps < MAX_SETTLING && !isStopped() && (await this.#stepIfNeeded()); steps++);
  }

  /** Of control methods, and not in a step yet. */
  get changes(): Changes {
    return this.#byHand.changes
  }

  /** Changes that waited at an earlier time wait again, unless the chain closes; all others are rejected, for the reason `why`. */
  restore(earlier: Changes, why: string): void {
    const made = this.#byHand.keep(earlier, new ChangeDropped(`Not done: ${why}`))
    if (this.#closed) return
    for (const one of made.patches) void this.patch(one).catch(() => undefined)
    for (const one of made.injected) void this.inject(one).catch(() => undefined)
  }

  close(): void {
    this.#closed = true
    this.#pacing.end()
    this.#takeByHand().fail(chainClosing())
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #hasWork(): boolean {
    const { chain, isWaiting } = this.#parts
    return this.#hasInput || (hasUndelivered(chain.moment) && !isWaiting())
  }

  get #hasInput(): boolean {
    return this.#parts.pool.size > 0 || this.#byHand.size > 0
  }

  /** Throws ChangeDropped where a change would never be made, or too many wait for the next block. */
  #refuseByHand(): void {
    if (this.#closed) throw chainClosing()
    if (this.#byHand.size >= MOST_BY_HAND)
      throw new ChangeDropped(`Not done: ${MOST_BY_HAND} changes wait for the next block already; dev.mine makes it`)
  }

  #takeByHand(): ByHand {
    const taken = this.#byHand
    this.#byHand = new ByHand()
    return taken
  }

  async #drive(): Promise<void> {
    let failed = false
    try {
      while (this.#mode === 'auto' && (await this.#stepIfNeeded()))
        if (this.#pacing.isSlow && !this.#hasInput && !this.#closed) await this.#pacing.pause()
    } catch (error) {
      failed = true
      this.#warn(error)
    }
    this.#driving = false
    this.#schedule()
    // Something may have arrived after the last check, while `wake` still saw a running step. After a failure the timer
    // retries, unless something new has arrived.
    if ((!failed || this.#isWoken) && this.#hasWork()) this.wake()
  }

  /** Checks the work in its turn: an earlier step may have done it. */
  #stepIfNeeded(): Promise<boolean> {
    return this.#parts.turns.take(async () => {
      if (this.#closed) return false
      if (!this.#hasWork()) {
        this.#pacing.reset()
        return false
      }
      const { isSlow } = this.#pacing
      this.#pacing.count(this.#hasInput)
      await this.#step({ isPaced: true, isSmall: isSlow && !this.#hasInput })
      return true
    })
  }

  /** Sets the timer of the next step without a message. */
  #schedule(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#dueAt = Number.POSITIVE_INFINITY
    if (this.#closed || this.#mode === 'manual') return
    const sinceLast = this.#mode === 'auto' ? performance.now() - this.#lastStep : 0
    const delay = Math.max(0, (this.nextStepMs ?? 0) - sinceLast)
    this.#dueAt = performance.now() + delay
    this.#timer = setTimeout(() => void this.#tick(), delay)
    this.#timer.unref()
  }

  async #tick(): Promise<void> {
    if (this.#closed || this.#driving) return
    try {
      if (this.#mode === 'auto') {
        this.#idling.count()
        this.#isIdle = true
      }
      await this.mine(1)
    } catch (error) {
      this.#warn(error)
    }
    this.#schedule()
    this.wake()
  }

  #warn(error: unknown): void {
    // At the end a step may have waited for its turn.
    if (error instanceof ChangeDropped) return
    const text = failureText(error)
    if (this.#trouble.isNew(text)) this.#parts.warn('A block could not be made', { error: text })
  }

  async #step({ isPaced = false, isSmall = false } = {}): Promise<void> {
    if (this.#closed) throw chainClosing()
    const { chain, pool } = this.#parts
    this.#isWoken = false
    // A step that fails counts too: the timer must not try again at once.
    this.#lastStep = performance.now()
    this.#dueAt = this.#lastStep + (this.nextStepMs ?? Number.POSITIVE_INFINITY)
    const isFirst = chain.moment.master.id.seqno === 0
    const byHand = isFirst ? new ByHand() : this.#takeByHand()
    const { externals, work } = isFirst ? { externals: [], work: NOTHING_TO_DO } : stepWork(this.#parts, byHand)
    try {
      const hasInput = externals.length > 0 || byHand.size > 0
      const outcomes = await this.#advance({ ...work, isPaced, ...(isSmall ? { limits: SMALL_BLOCK } : {}) }, hasInput)
      const { master, shard } = chain.head() ?? {}
      byHand.done([master, shard].filter((facts) => facts != null))
      pool.settle(outcomes)
      this.#failure = null
      this.#trouble.end()
    } catch (error) {
      this.#failure = error
      byHand.fail(error)
      const outcome = notMade(error)
      // Messages that make a step fail are dropped. A full disk is not their fault: acknowledged messages stay.
      if (isDiskFull(error)) pool.refuse(outcome)
      else pool.settle(new Map(externals.map((external) => [external, outcome])))
      throw error
    }
  }

  /**
   * Makes a block. One that is too large by what waits in queues alone is made with few of these messages: the same one would
   * fail for ever.
   */
  async #advance(work: StepWork, hasInput: boolean): Promise<ReadonlyMap<External, ExternalOutcome>> {
    try {
      return await this.#parts.chain.advance(work)
    } catch (error) {
      if (hasInput || !(error instanceof BlockTooLarge)) throw error
      return await this.#parts.chain.advance({ ...work, limits: TINY_BLOCK })
    }
  }
}
