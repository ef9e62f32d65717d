// Joins keys, tiers and budgets into the one interface that HTTP uses.

import { LRUCache } from 'lru-cache'
import { ApiError } from '../../shared/errors.ts'
import type { Network } from '../../shared/network.ts'
import type { Access, BudgetState, Caller, Quota, Tier } from './access.ts'
import { hashKey, networkOfKey } from './apiKeys.ts'
import { Budgets } from './budget.ts'
import { isLoopback, subjectOf } from './clientAddress.ts'
import { type KeyRecord, keyState } from './keyRecord.ts'
import type { KeyStore } from './keyStore.ts'
import { KeyStoreError } from './keyStoreError.ts'
import { KEYLESS, tierOf } from './plans.ts'
import { Quotas } from './quotas.ts'
import { type BudgetLedger, SharedBudgets } from './sharedBudgets.ts'
import type { UsageStore } from './usageStore.ts'

/** With the lag of a store and the caches of connections, two seconds from a revocation to its effect everywhere. */
const KEY_CACHED_MS = 1_200
const AHEAD_MS = 600
const CACHED_KEYS = 10_000

/** `auto`: all callers, except those without a key from this machine while the chain is the embedded or a custom one. */
export type Limits = 'auto' | 'on' | 'off'

/** Behind a proxy that names no caller strangers look local, so real networks have no exception. */
const OWN_CHAINS: ReadonlySet<Network> = new Set(['devnet', 'custom'])

/** Whether callers on this machine are limited, too. */
export const limitsLocalCallers = (limits: Limits, network: Network): boolean =>
  limits === 'on' || (limits === 'auto' && !OWN_CHAINS.has(network))

export interface AccessOptions {
  /** The chain this process serves. */
  readonly network: Network
  readonly limits: Limits
  readonly store: KeyStore
  /** Monthly quotas, and where their totals are read; without it they count from the start of the process. */
  readonly quotas?: Quotas
  readonly usage?: Pick<UsageStore, 'months'>
  /** Counts what is charged beside methods. */
  readonly count?: Access['count']
  readonly countBytes?: Access['countBytes']
  /** Where several processes count budgets together; without it each counts alone. */
  readonly ledger?: BudgetLedger
  /** Called when a key has used so many percent of its monthly quota. */
  readonly onQuota?: (keyId: string, percent: number, quota: Quota) => void
  /** Milliseconds; by default the wall clock for the dates of keys and a monotonic one for everything that elapses. */
  readonly now?: () => number
}

/** Calls by plan since the start, those without a key as `keyless`. */
export interface PlanCounts {
  readonly plan: string
  readonly charged: number
  readonly refused: number
}

export interface CountedAccess extends Access {
  readonly plans: Iterable<PlanCounts>
}

interface CachedCaller {
  /** Null for an unknown secret. */
  readonly record: KeyRecord | null
  readonly caller: Caller
  readonly seenAt: number
}

/** A caller without a key. */
export function keylessCaller({ network, limits }: Pick<AccessOptions, 'network' | 'limits'>, address: string): Caller {
  const free = limits === 'off' || (isLoopback(address) && !limitsLocalCallers(limits, network))
  const caller = { subject: subjectOf(address), keyId: null, tier: free ? null : KEYLESS }
  // Without limits strangers may call as often as they like, and still not have everything sent to them.
  return isLoopback(address) && OWN_CHAINS.has(network) && limits !== 'on' ? { ...caller, allAccounts: true } : caller
}

/** Who calls and how much they may. Closing it closes the store. */
export function createAccess(options: AccessOptions): CountedAccess & { close(): Promise<void> } {
  return new StoreAccess(options)
}

class StoreAccess implements CountedAccess {
  readonly #network: Network
  readonly #limits: Limits
  readonly #store: KeyStore
  readonly #wallClock: () => number
  readonly #elapsed: () => number
  readonly #budgets: Pick<Budgets, 'spend' | 'peek'>
  readonly #shared: SharedBudgets | null
  readonly #quotas: Quotas
  readonly #plans = new Map<string, { charged: number; refused: number }>()
  readonly #usage: AccessOptions['usage']
  readonly #onQuota: AccessOptions['onQuota']
  readonly count: Access['count']
  readonly countBytes: Access['countBytes']
  readonly #known = new LRUCache<string, CachedCaller>({ max: CACHED_KEYS })
  // Kept apart, so that made-up keys cannot evict those of real callers.
  readonly #unknown = new LRUCache<string, CachedCaller>({ max: CACHED_KEYS })
  readonly #loading = new Map<string, Promise<CachedCaller>>()

  constructor({ network, limits, store, quotas, usage, ledger, onQuota, count, countBytes, now }: AccessOptions) {
    this.#network = network
    this.#limits = limits
    this.#store = store
    this.#wallClock = now ?? Date.now
    this.#elapsed = now ?? (() => performance.now())
    const budgets = new Budgets({ now: this.#elapsed })
    this.#shared = ledger === undefined ? null : new SharedBudgets(budgets, ledger)
    this.#budgets = this.#shared ?? budgets
    this.#quotas = quotas ?? new Quotas(this.#wallClock)
    this.#usage = usage
    this.#onQuota = onQuota
    this.count = count
    this.countBytes = countBytes
  }

  identify(key: string | undefined, address: string): Caller | Promise<Caller> {
    if (key === undefined || key === '') return keylessCaller({ network: this.#network, limits: this.#limits }, address)
    const named = networkOfKey(key)
    if (named === null) throw new ApiError('unauthorized')
    if (named !== this.#network) throw new ApiError('forbidden', undefined, { reason: 'network' })
    const hash = hashKey(key)
    const cached = this.#known.get(hash) ?? this.#unknown.get(hash)
    const age = cached === undefined ? Number.POSITIVE_INFINITY : this.#elapsed() - cached.seenAt
    if (cached === undefined || age >= KEY_CACHED_MS) return this.#load(hash).then((loaded) => this.#admit(loaded))
    // One that is used again and again is read before its time: its calls do not wait for a database far away.
    if (cached.record !== null && age >= AHEAD_MS) this.#load(hash).catch(() => undefined)
    return this.#admit(cached)
  }

  get plans(): Iterable<PlanCounts> {
    return [...this.#plans].map(([plan, counts]) => ({ plan, ...counts }))
  }

  spend(caller: Caller, cost: number): BudgetState | null {
    if (caller.tier === null) return null
    const budget = this.#spend(caller, caller.tier, cost)
    const counts = this.#countsOf(caller.tier.name)
    if (budget.allowed) counts.charged++
    else counts.refused++
    return budget
  }

  peek(caller: Caller): BudgetState | null {
    if (caller.tier === null) return null
    const budget = this.#budgets.peek(caller.subject, caller.tier)
    const quota = this.#quotaOf(caller)
    if (quota === null) return budget
    return quota.used >= quota.limit ? this.#usedUp(caller.subject, caller.tier, quota) : { ...budget, quota }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#loading.values())
    this.#shared?.close()
    await this.#store.close()
  }

  #spend(caller: Caller, tier: Tier, cost: number): BudgetState {
    const quota = this.#quotaOf(caller)
    if (quota === null) return this.#budgets.spend(caller.subject, tier, cost)
    if (quota.used >= quota.limit) return this.#usedUp(caller.subject, tier, quota)
    const budget = this.#budgets.spend(caller.subject, tier, cost)
    if (!budget.allowed) return { ...budget, quota }
    const after = { ...quota, used: quota.used + cost }
    const warning = this.#quotas.spend(caller.subject, quota.limit, cost)
    if (warning !== null) this.#onQuota?.(caller.subject, warning, after)
    return { ...budget, quota: after }
  }

  #quotaOf({ subject, monthly = null }: Caller): Quota | null {
    return monthly === null ? null : this.#quotas.state(subject, monthly)
  }

  #countsOf(plan: string): { charged: number; refused: number } {
    const known = this.#plans.get(plan)
    if (known !== undefined) return known
    const counts = { charged: 0, refused: 0 }
    this.#plans.set(plan, counts)
    return counts
  }

  #usedUp(subject: string, tier: Tier, quota: Quota): BudgetState {
    const { resetAfter } = this.#budgets.peek(subject, tier)
    return { allowed: false, tier, remaining: 0, resetAfter, retryAfter: quota.resetAfter, quota }
  }

  #admit({ record, caller }: CachedCaller): Caller {
    if (record === null || keyState(record, this.#wallClock()) !== 'active') throw new ApiError('unauthorized')
    if (record.network !== this.#network) throw new ApiError('forbidden', undefined, { reason: 'network' })
    return caller
  }

  /** Queries the store once, however many calls wait for the same key. */
  #load(hash: string): Promise<CachedCaller> {
    const running = this.#loading.get(hash)
    if (running !== undefined) return running
    const loading = this.#query(hash).finally(() => this.#loading.delete(hash))
    this.#loading.set(hash, loading)
    return loading
  }

  async #query(hash: string): Promise<CachedCaller> {
    // From before the question: an answer that took long is as old as what it was read from.
    const seenAt = this.#elapsed()
    const record = await this.#find(hash)
    const cached: CachedCaller = { record, caller: this.#callerOf(record), seenAt }
    const [mine, other] = record === null ? [this.#unknown, this.#known] : [this.#known, this.#unknown]
    mine.set(hash, cached)
    other.delete(hash)
    const now = this.#wallClock()
    if (record !== null && keyState(record, now) === 'active') await this.#store.touch(hash, now)
    if (record !== null && (cached.caller.monthly ?? null) !== null) await this.#loadMonth(record.id)
    return cached
  }

  async #find(hash: string): Promise<KeyRecord | null> {
    try {
      return await this.#store.find(hash)
    } catch (error) {
      if (!(error instanceof KeyStoreError && error.reason === 'busy')) throw error
      throw new ApiError('busy', 'Keys cannot be read now', { retryAfter: 1 }, { cause: error })
    }
  }

  /** What was spent before this process began. A store that cannot be read is read later. */
  async #loadMonth(keyId: string): Promise<void> {
    if (this.#usage === undefined || this.#quotas.knows(keyId)) return
    const { month } = this.#quotas
    const totals = await this.#usage.months(month, [keyId]).catch(() => null)
    if (totals !== null) this.#quotas.learn(month, keyId, totals.get(keyId) ?? 0)
  }

  #callerOf(record: KeyRecord | null): Caller {
    if (record === null) return NO_CALLER
    const plan = this.#store.plan(record.plan)
    const tier: Tier | null = this.#limits === 'off' ? null : tierOf(record, plan)
    const monthly = record.monthly ?? plan?.monthly ?? null
    const right = record.allAccounts ? { allAccounts: true } : {}
    const caller = { subject: record.id, keyId: record.id, tier, ...right }
    return monthly === null ? caller : { ...caller, monthly }
  }
}

const NO_CALLER: Caller = { subject: '', keyId: null, tier: null }
