// Messages that are executed before their turn, in threads: those of a block are taken in one order, but most of them go to
// different accounts. What a run comes to follows from what it is given, so blocks are the same with threads and without.
// Threads are started under load only, and for a run that takes long, and end when there is nothing for them. How long a run takes is
// known of large ones only: gas says little, a pairing of curves costs a hundred times the time of other instructions. So once a run
// has held the event loop, or some that are each shorter have together, the next ones are made in threads.

import { readBoc } from '../../../cell/index.ts'
import { availableProcessors } from '../../../process/index.ts'
import {
  type BlockContext,
  createTvmPool,
  type TransactionResult,
  type TvmConfig,
  type TvmPool,
} from '../../../tvm/index.ts'
import { gasOf } from '../blockLoad.ts'

/** One transaction: a message, and the account it is executed on. */
export interface Run {
  readonly account: string
  readonly message: Uint8Array | string
  readonly lt: bigint
}

/** Begun in a thread; null when nothing came of it there. */
export interface BegunRun extends Run {
  readonly result: Promise<TransactionResult | null>
}

/** Characters of the account and the message together. The TVM takes 7 ms for bags of 100 kB, however little is done with them. */
const LONG_RUN = 128 * 1024

export const isLongRun = ({ account, message }: Run): boolean => account.length + message.length > LONG_RUN

/** Whether a run that was begun is this one: its account may have changed since. */
export const isBegun = (begun: BegunRun, { account, message, lt }: Run): boolean =>
  begun.lt === lt && begun.account === account && begun.message === message

export interface AheadLimits {
  readonly threads: number
  /** So many transactions within `withinMs` are a load. */
  readonly transactions: number
  readonly withinMs: number
  /** Threads without work end after this time. */
  readonly idleMs: number
  /** A run that held the event loop for so long, with so much gas, is followed by runs in threads alone, for `carefulMs`. */
  readonly longMs: number
  readonly longGas: number
  /** So are runs of so much gas and at least `heavyMs` each, once those within a second took `heldMs` together. */
  readonly heavyMs: number
  readonly heldMs: number
  readonly carefulMs: number
}

/** The demo of a new chain has 700 transactions: threads would cost more than they bring. */
const DEFAULTS: AheadLimits = {
  threads: availableProcessors() > 2 ? 2 : 1,
  // With one processor threads are no faster, but calls are answered while a thread runs.
  transactions: availableProcessors() > 1 ? 1000 : Number.POSITIVE_INFINITY,
  withinMs: 4000,
  idleMs: 60_000,
  longMs: 20,
  longGas: 40_000,
  heavyMs: 5,
  heldMs: 100,
  carefulMs: 60_000,
}

const SECOND_MS = 1000

export class AheadRuns {
  readonly #limits: AheadLimits
  #pool: TvmPool | null = null
  #starting: Promise<void> | null = null
  #isClosed = false
  /** Transactions since `#since`. */
  #count = 0
  #since = performance.now()
  #idle: NodeJS.Timeout | null = null
  /** Runs are made in threads until then. */
  #carefulUntil = 0
  /** Milliseconds that heavy runs took since `#heldSince`. */
  #held = 0
  #heldSince = 0

  constructor(limits: Partial<AheadLimits> = {}) {
    this.#limits = { ...DEFAULTS, ...limits }
  }

  /** Counts a transaction, wherever it was made. */
  count(): void {
    const { threads, transactions, withinMs } = this.#limits
    this.#count++
    if (this.#count < transactions) return
    const now = performance.now()
    const isLoad = now - this.#since <= withinMs
    this.#count = 0
    this.#since = now
    if (!isLoad || threads < 1 || this.#isClosed) return
    this.#idle?.refresh()
    void this.#start()
  }

  /** Whether a run that looks short is made in a thread, too. */
  get isCareful(): boolean {
    return performance.now() < this.#carefulUntil
  }

  /** Makes a run on the event loop and measures it, also in processor time: the clock counts other programs, too. */
  timed<R extends TransactionResult | null>(run: () => R): R {
    const began = performance.now()
    const before = process.cpuUsage()
    const result = run()
    const { user, system } = process.cpuUsage(before)
    this.#took(Math.min(performance.now() - began, (user + system) / 1000), result)
    return result
  }

  /** A slow run that used little gas was slow for another reason, such as a start of the process. */
  #took(ms: number, result: TransactionResult | null): void {
    const { longMs, longGas, heavyMs, heldMs, carefulMs } = this.#limits
    if (ms < Math.min(longMs, heavyMs) || result?.accepted !== true) return
    if (gasOf(readBoc(Buffer.from(result.transaction, 'base64'))) < longGas) return
    const now = performance.now()
    if (now - this.#heldSince > SECOND_MS) {
      this.#held = 0
      this.#heldSince = now
    }
    this.#held += ms
    if (ms >= longMs || this.#held >= heldMs) this.#carefulUntil = now + carefulMs
  }

  /** The result of a long run, which a thread is started for when there is none; null where there are no threads. */
  async alone(run: Run, config: TvmConfig, block: BlockContext): Promise<TransactionResult | null> {
    if (this.#limits.threads < 1 || this.#isClosed) return null
    await this.#start()
    this.#idle?.refresh()
    const began = performance.now()
    const result = (await this.begin(run, config, block)?.result) ?? null
    this.#took(performance.now() - began, result)
    return result
  }

  /** Whether a thread would take a run at once. */
  get isReady(): boolean {
    return this.#pool?.isReady === true
  }

  get threads(): number {
    return this.isReady ? (this.#pool?.stats.workers ?? 0) : 0
  }

  /** Null without threads. */
  begin(run: Run, config: TvmConfig, block: BlockContext): BegunRun | null {
    if (this.#pool === null) return null
    const { account: shardAccount, message, lt } = run
    // What fails in a thread is tried again where all else is executed, and fails there if it has to.
    const result = this.#pool.emulate(config, block, { shardAccount, message, lt }).catch(() => null)
    return { ...run, result }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    // Threads that are being started end as soon as they are there.
    await this.#starting
    await this.#end()
  }

  #start(): Promise<void> {
    if (this.#pool !== null) return Promise.resolve()
    this.#starting ??= this.#open().finally(() => {
      this.#starting = null
    })
    return this.#starting
  }

  async #open(): Promise<void> {
    const { threads, idleMs } = this.#limits
    const pool = await createTvmPool({ workers: threads, eager: true }).catch(() => null)
    // Without a thread all runs are made on the event loop, as those of few transactions are.
    if (pool === null || this.#isClosed || pool.stats.workers === 0) return await pool?.close()
    this.#pool = pool
    this.#idle = setTimeout(() => void this.#end(), idleMs)
    this.#idle.unref()
  }

  async #end(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle)
    const pool = this.#pool
    this.#pool = null
    this.#idle = null
    await pool?.close()
  }
}
