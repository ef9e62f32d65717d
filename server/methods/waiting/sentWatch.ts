// What became of sent messages, by the index. All callers that wait share one check for each new index head: two
// statements, however many they are.

import { base64Of, hashFromBytes, MAX_DEPTH, orNull, readBoc } from '../../cell/index.ts'
import { type DataFound, dataRead, groupBy, readAll, type SentFound, type Sql, sentRead } from '../../store/index.ts'
import type { IndexProgress } from '../indexView.ts'
import type { AwaitedMessage } from './sentMessage.ts'
import { isOvertaken, type SentWallet, sentWalletOf } from './sentWallet.ts'

/** `confirmed`: its own transaction is in a block. `finalized`: so is everything that followed from it. */
export type BlockLevel = 'confirmed' | 'finalized'

export interface InBlock {
  readonly kind: 'inBlock'
  readonly level: BlockLevel
  readonly traceId: Uint8Array
}

export interface Lost {
  /** Its wallet refuses it from now on: it has expired, or another message took its seqno. */
  readonly kind: 'expired' | 'replaced'
  readonly wallet: SentWallet
}

export type Fate = InBlock | Lost

export interface WatchLimits {
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

interface Waiter {
  readonly message: AwaitedMessage
  readonly level: BlockLevel
  readonly settle: (fate: Fate | null) => void
  readonly fail: (error: unknown) => void
}

/** Clocks of shards lag behind the masterchain's by less. */
const SHARD_LAG_S = 10
/** Accounts of one statement. */
const AT_ONCE = 250

export const isReached = (fate: Fate, level: BlockLevel): boolean =>
  fate.kind !== 'inBlock' || level === 'confirmed' || fate.level === 'finalized'

function lostOf(message: AwaitedMessage, account: DataFound | undefined, utime: number): Lost | null {
  const { codeHash = null, data = null } = account ?? {}
  const wallet = orNull(() =>
    sentWalletOf(message, codeHash && hashFromBytes(codeHash), data && readBoc(data, { maxDepth: MAX_DEPTH })),
  )
  if (wallet === null) return null
  if (isOvertaken(wallet)) return { kind: 'replaced', wallet }
  const until = wallet.order?.validUntil ?? null
  return until !== null && utime > until + SHARD_LAG_S ? { kind: 'expired', wallet } : null
}

function inBlockOf(found: readonly SentFound[]): InBlock | null {
  // One message may have started several traces; it is finished when one of them is.
  const one = found.find(({ state }) => state !== 'pending') ?? found[0]
  if (one === undefined) return null
  return { kind: 'inBlock', level: one.state === 'pending' ? 'confirmed' : 'finalized', traceId: one.traceId }
}

export class SentWatch {
  readonly #store: Sql
  readonly #index: IndexProgress
  readonly #stopping: AbortSignal | undefined
  readonly #waiters = new Set<Waiter>()
  /** Those that were not checked yet. */
  readonly #fresh = new Set<Waiter>()
  #isChecking = false
  /** The index has moved since the last check of all. */
  #isStale = false
  #forget: (() => void) | null = null

  /** `stopping` ends the time of all who wait. */
  constructor(store: Sql, index: IndexProgress, stopping?: AbortSignal) {
    this.#store = store
    this.#index = index
    this.#stopping = stopping
    stopping?.addEventListener('abort', () => {
      for (const waiter of [...this.#waiters]) waiter.settle(null)
    })
  }

  /** Null for a message that is in no indexed block. */
  async find({ hash, hashNorm }: AwaitedMessage): Promise<InBlock | null> {
    return inBlockOf(await readAll(this.#store, sentRead([hash, hashNorm])))
  }

  /** Waits until a message has reached the level or is lost; null after the timeout. Rejects when the caller leaves. */
  until(message: AwaitedMessage, level: BlockLevel, { signal, timeoutMs }: WatchLimits): Promise<Fate | null> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      if (this.#stopping?.aborted === true) return resolve(null)
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        this.#remove(waiter)
      }
      const waiter: Waiter = {
        message,
        level,
        settle: (fate) => {
          end()
          resolve(fate)
        },
        fail: (error) => {
          end()
          reject(error)
        },
      }
      const timer = setTimeout(() => waiter.settle(null), timeoutMs)
      const onAbort = (): void => waiter.fail(signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      this.#add(waiter)
    })
  }

  #add(waiter: Waiter): void {
    this.#waiters.add(waiter)
    this.#forget ??= this.#index.onIndexed(() => {
      this.#isStale = true
      this.#check()
    })
    this.#fresh.add(waiter)
    // Calls that come in one turn share their first check too.
    if (this.#fresh.size === 1) setImmediate(() => this.#check())
  }

  #remove(waiter: Waiter): void {
    this.#waiters.delete(waiter)
    this.#fresh.delete(waiter)
    if (this.#waiters.size > 0) return
    this.#forget?.()
    this.#forget = null
  }

  #check(): void {
    if (this.#isChecking) return
    this.#isChecking = true
    void this.#checkAll()
  }

  async #checkAll(): Promise<void> {
    while ((this.#isStale || this.#fresh.size > 0) && this.#waiters.size > 0) {
      const waiters = [...(this.#isStale ? this.#waiters : this.#fresh)]
      this.#isStale = false
      this.#fresh.clear()
      try {
        const fates = await this.#fatesOf(waiters.map(({ message }) => message))
        for (const { message, level, settle } of waiters) {
          const fate = fates.get(message.name)
          if (fate !== undefined && isReached(fate, level)) settle(fate)
        }
      } catch (error) {
        // The next call waits for the same message again.
        for (const { fail } of waiters) fail(error)
      }
    }
    this.#isChecking = false
  }

  async #fatesOf(messages: readonly AwaitedMessage[]): Promise<ReadonlyMap<string, Fate>> {
    const utime = this.#index.indexed()?.utime ?? 0
    // Accounts first: a wallet that has moved on by the message itself is then never taken for one that refused it.
    const accounts = await this.#accounts(messages)
    const found = await readAll(this.#store, sentRead(messages.flatMap(({ hash, hashNorm }) => [hash, hashNorm])))
    const byName = groupBy(found, (one) => base64Of(one.hashNorm ?? one.hash))
    const fates = new Map<string, Fate>()
    for (const message of messages) {
      const fate =
        inBlockOf(byName.get(message.name) ?? []) ?? lostOf(message, accounts.get(base64Of(message.key)), utime)
      if (fate !== null) fates.set(message.name, fate)
    }
    return fates
  }

  async #accounts(messages: readonly AwaitedMessage[]): Promise<ReadonlyMap<string, DataFound>> {
    const keys = [...new Map(messages.map(({ key }) => [base64Of(key), key])).values()]
    const known = new Map<string, DataFound>()
    for (let i = 0; i < keys.length; i += AT_ONCE)
      for (const one of await readAll(this.#store, dataRead(keys.slice(i, i + AT_ONCE))))
        known.set(base64Of(one.account), one)
    return known
  }
}
