// The indexer as the service starts it: it waits for the lease, follows the chain while it holds it, and keeps checking
// while another process leads. Temporary failures are retried; permanent ones stop it with a text that says what to do.

import type { IndexState, Leadership } from '../store/index.ts'
import { CarriedLacks } from './accounts/lackSearch.ts'
import { Caution } from './caution.ts'
import { HeadWatch } from './chain/headWatch.ts'
import { checkGenesis, checkNetwork, OwnChain } from './chainIdentity.ts'
import { Follower } from './follower.ts'
import type { IndexerOptions } from './indexerOptions.ts'
import type { IndexerState, IndexerStatus } from './indexerStatus.ts'
import { IndexHeads, type IndexView } from './indexHead.ts'
import { Permission } from './permission.ts'
import { Progress } from './progress.ts'
import { StandingHead } from './standingHead.ts'
import { adviceOnPast, factsOfTrouble, indexFromSeqno, isFinal, isRefusal, troubleText } from './trouble.ts'
import { watchIndex } from './watchIndex.ts'
import { whileWhole } from './whileWhole.ts'

export interface Indexer extends IndexView {
  status(): IndexerStatus
  /** Resolves when the index may be read: its chain was checked. Throws StoreError: `mismatch`, or `unavailable` when it takes too long. */
  readable(signal?: AbortSignal): Promise<void>
  /** Resolves when the database is known to be of this chain, or empty. Before, nothing of this chain belongs there. */
  readonly confirmed: Promise<void>
  /** Ends what is going on and lets others lead. */
  close(): Promise<void>
}

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 10_000
const NODE_TIMEOUT_MS = 10_000
const OPENING_MS = 8_000
const BATCH_TRANSACTIONS = 1_000

class RunningIndexer {
  readonly heads = new IndexHeads()
  readonly #options: IndexerOptions
  readonly #watch: HeadWatch
  readonly #progress: Progress
  readonly #caution: Caution
  readonly #own: OwnChain
  readonly #standing: StandingHead
  readonly #carried = new CarriedLacks()
  readonly permission: Permission
  readonly #end = new AbortController()
  readonly #done: Promise<void>
  #state: IndexerState = 'starting'
  #leads = false
  #trouble: string | null = null
  /** The same of looking how far another process is. */
  #watchTrouble: string | null = null
  #failures = 0
  /** Since the last success, or the end of the last outage of heads. */
  #pauses = 0
  #returns = 0
  #reindexFrom: number | null

  constructor(options: IndexerOptions) {
    const { chain, log, pollMs = 1000, timeoutMs = NODE_TIMEOUT_MS } = options
    this.#options = options
    this.permission = new Permission(options.openingMs ?? OPENING_MS)
    this.#reindexFrom = options.reindexFrom ?? null
    this.#watch = new HeadWatch(chain, { pollMs, timeoutMs })
    this.#progress = new Progress({ log })
    this.#caution = new Caution(() => this.heads.indexed()?.seqno ?? 0)
    this.#own = new OwnChain(chain, options.network, options.database.kind)
    const reads = { timeoutMs, signal: this.#end.signal }
    this.#standing = new StandingHead({ chain, database: options.database, watch: this.#watch, options: reads })
    const work = options.writes === false ? this.#watchOnly() : this.#run()
    this.#done = work.catch((error: unknown) => this.#stop(error))
  }

  status(): IndexerStatus {
    const head = this.heads.indexed()
    const newest = this.#watch.newest
    return {
      state: this.#state,
      leads: this.#leads,
      trouble: this.#trouble ?? this.#watchTrouble ?? this.#standing.trouble,
      failures: this.#failures,
      isRefused: this.permission.isRefused,
      isApart: this.#standing.trouble !== null,
      head,
      first: this.heads.first,
      lag: newest === null ? null : Math.max(0, newest.seqno - (head?.seqno ?? 0)),
      ...this.#progress.status(),
    }
  }

  async close(): Promise<void> {
    this.#end.abort()
    await this.#done
    this.#watch.close()
  }

  /** Looks how far the index is, while another process writes it. */
  async #looking<T>(until: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { database, log, watchMs = 250 } = this.#options
    const enough = new AbortController()
    const check = (state: IndexState): Promise<void> => this.#check(state)
    const onLooked = (trouble: unknown): void => this.#looked(trouble)
    const watched = { database, heads: this.heads, pollMs: watchMs, log, check, onLooked }
    const watching = watchIndex(watched, enough.signal)
    try {
      return await until(this.#end.signal)
    } finally {
      enough.abort()
      await watching
      this.#watchTrouble = null
      this.#standing.looked(null)
    }
  }

  async #check(state: IndexState): Promise<void> {
    const { chain, timeoutMs = NODE_TIMEOUT_MS } = this.#options
    checkNetwork(state, this.#own)
    const fetched = this.#own.fetch({ timeoutMs, signal: this.#end.signal })
    // A remote chain that does not answer keeps no caller from reading what is indexed of its network.
    const isRemote = chain.traits.firstSeqno === null
    if (!isRemote) await fetched
    const { known, elsewhere } = this.#own
    if (known !== null) checkGenesis(state, known, elsewhere)
    const isSure = known !== null && (state.identity !== null || state.cursor === null)
    if (isSure || isRemote) this.permission.grant({ isSure })
  }

  #looked(trouble: unknown): void {
    this.permission.deny(trouble)
    this.#watchTrouble = trouble === null ? null : troubleText(trouble)
    this.#standing.looked(this.heads.indexed())
  }

  async #watchOnly(): Promise<void> {
    this.#state = 'watching'
    await this.#looking((signal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())))
    this.#state = 'stopped'
  }

  async #run(): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      this.#state = 'watching'
      try {
        const leadership = await this.#looking((end) => this.#options.database.lead(end, () => this.#standBy()))
        try {
          await this.#lead(leadership)
        } finally {
          await leadership.release()
        }
      } catch (error) {
        if (isFinal(error)) throw error
        await this.#afterTrouble(error)
      }
    }
    this.#state = 'stopped'
  }

  async #lead({ lost }: Leadership): Promise<void> {
    // At once: what still waits for the database may take a minute.
    const leave = (): void => this.#leave()
    lost.addEventListener('abort', leave, { once: true })
    this.#leads = !lost.aborted
    const signal = AbortSignal.any([this.#end.signal, lost])
    try {
      await this.#followWhile(signal)
    } finally {
      lost.removeEventListener('abort', leave)
      this.#leads = false
    }
  }

  async #followWhile(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await whileWhole(this.#options.database, signal, (own) => this.#follow(this.#follower(own), own))
      } catch (error) {
        if (isFinal(error)) throw error
        if (!signal.aborted) await this.#afterTrouble(error)
      }
    }
  }

  /**
   * Another process leads, and the trouble is its own now. What it goes on to index is not to be forgotten when it stops, perhaps
   * months later.
   */
  #standBy(): void {
    this.#recovered()
    const seqno = this.#reindexFrom
    if (seqno === null) return
    this.#reindexFrom = null
    const text = 'reindex ignored: another process leads this index; stop it before one starts with --reindex-from'
    this.#options.log.warn({ seqno }, text)
  }

  #leave(): void {
    this.#leads = false
    if (this.#state === 'following') this.#state = 'watching'
  }

  #follower(signal: AbortSignal): Follower {
    const { chain, database, log, reindexFrom = null, pool = null, timeoutMs = NODE_TIMEOUT_MS } = this.#options
    const again = reindexFrom === null ? null : { seqno: reindexFrom }
    const { indexFrom, keepSeconds = null, batchTransactions = BATCH_TRANSACTIONS } = this.#options
    const { onPrepared = () => undefined, onWritten = () => undefined } = this.#options
    return new Follower(
      {
        chain,
        database,
        pool,
        own: this.#own,
        indexFrom: indexFrom ?? again,
        keepSeconds,
        log,
        timeoutMs,
        batchTransactions,
        watch: this.#watch,
        heads: this.heads,
        progress: this.#progress,
        caution: this.#caution,
        carried: this.#carried,
        onPrepared,
        onWritten,
        onUnclassified: (id, err) => log.warn({ err, traceId: Buffer.from(id).toString('hex') }, 'trace unclassified'),
        onChecked: () => this.permission.grant({ isSure: true }),
        onGood: () => this.#recovered(),
      },
      signal,
    )
  }

  /** Follows until there is trouble. */
  async #follow(follower: Follower, signal: AbortSignal): Promise<void> {
    if (this.#reindexFrom !== null) await follower.reindexFrom(this.#reindexFrom)
    this.#reindexFrom = null
    while (!signal.aborted) {
      this.#state = 'following'
      await follower.follow()
    }
  }

  #recovered(): void {
    if (this.#trouble !== null) this.#options.log.info({ failures: this.#failures }, 'indexer resumed')
    this.#trouble = null
    this.#failures = 0
    this.#pauses = 0
  }

  // The same failure is logged once, however often it repeats.
  async #afterTrouble(error: unknown): Promise<void> {
    if (this.#end.signal.aborted) return
    if (isRefusal(error)) {
      // A restore may have made its tables, still empty, before the next try.
      this.heads.set(null)
      this.permission.deny(error)
    }
    const at = this.heads.indexed()?.seqno ?? indexFromSeqno(this.#options.indexFrom)
    const text = `${this.#caution.textOf(error)}${adviceOnPast(error, this.#watch.newest?.seqno, at)}`
    const { firstPauseMs = FIRST_PAUSE_MS, longestPauseMs = LONGEST_PAUSE_MS } = this.#options
    const { returns } = this.#watch
    if (returns !== this.#returns) this.#pauses = 0
    this.#returns = returns
    this.#failures++
    const most = Math.min(longestPauseMs, firstPauseMs * 2 ** this.#pauses++)
    const againMs = Math.round(most * (0.5 + Math.random() / 2))
    if (this.#trouble === null)
      this.#options.log.warn({ ...factsOfTrouble(error, text), againMs }, 'indexer paused, and tries again')
    this.#trouble = text
    this.#state = 'waiting'
    await this.#watch.pause(againMs, this.#end.signal)
  }

  #stop(error: unknown): void {
    this.#state = 'stopped'
    if (this.#end.signal.aborted) return
    this.#trouble = this.#caution.textOf(error)
    this.permission.deny(error)
    this.#options.log.error(factsOfTrouble(error, this.#trouble), 'indexer stopped')
  }
}

/** Begins to follow the chain, or to look how far another process is. */
export function startIndexer(options: IndexerOptions): Indexer {
  const running = new RunningIndexer(options)
  const { heads } = running
  return {
    indexed: () => heads.indexed(),
    onIndexed: (listener) => heads.onIndexed(listener),
    onMoving: (listener) => heads.onMoving(listener),
    waitFor: (mcSeqno, wait) => heads.waitFor(mcSeqno, wait),
    status: () => running.status(),
    readable: (signal) => running.permission.wait(signal),
    confirmed: running.permission.confirmed,
    lookSoon: (seqno) => heads.lookSoon(seqno),
    close: () => running.close(),
  }
}
