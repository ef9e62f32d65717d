// Who called what, counted in memory and stored in batches: by key, method and day.

import { randomUUID } from 'node:crypto'
import type { Access } from './access.ts'
import { dayOf, type Quotas } from './quotas.ts'
import type { CountedUsage, UsageBatch, UsageStore } from './usageStore.ts'

const FLUSH_MS = 5_000
const DAY_MS = 86_400_000

/** Callers without a key are counted together. */
const KEYLESS = ''

type Count = { -readonly [K in 'calls' | 'weight' | 'errors' | 'limited' | 'bytes']: CountedUsage[K] }

const newCount = (): Count => ({ calls: 0, weight: 0, errors: 0, limited: 0, bytes: 0 })

/** What was counted since it was taken last, of any day. */
export type MeteredUsage = Omit<CountedUsage, 'day'>

/** Counts of one process since they were taken last. */
export class UsageMeter {
  #keys = new Map<string, Map<string, Count>>()

  charged(keyId: string | null, method: string, weight: number): void {
    this.#count(keyId, method).weight += weight
  }

  /** `outcome` is `ok`, an error kind or `abandoned`. */
  done(keyId: string | null, method: string, { outcome, bytes }: { outcome: string; bytes: number }): void {
    const count = this.#count(keyId, method)
    count.calls++
    count.bytes += bytes
    if (outcome === 'rateLimited') count.limited++
    else if (outcome !== 'ok') count.errors++
  }

  /** One call of what is no method. */
  readonly count: NonNullable<Access['count']> = ({ keyId }, name, outcome) => {
    if (outcome === 'ok') this.charged(keyId, name, 1)
    this.done(keyId, name, { outcome, bytes: 0 })
  }

  readonly countBytes: NonNullable<Access['countBytes']> = ({ keyId }, name, bytes) => {
    this.#count(keyId, name).bytes += bytes
  }

  /** Adds what another process has counted. */
  add(counted: readonly MeteredUsage[]): void {
    for (const { keyId, method, ...more } of counted) {
      const count = this.#count(keyId, method)
      count.calls += more.calls
      count.weight += more.weight
      count.errors += more.errors
      count.limited += more.limited
      count.bytes += more.bytes
    }
  }

  takeCounts(): readonly MeteredUsage[] {
    const keys = this.#keys
    this.#keys = new Map()
    return [...keys].flatMap(([keyId, methods]) => [...methods].map(([method, count]) => ({ keyId, method, ...count })))
  }

  #count(keyId: string | null, method: string): Count {
    const id = keyId ?? KEYLESS
    let methods = this.#keys.get(id)
    if (methods === undefined) {
      methods = new Map()
      this.#keys.set(id, methods)
    }
    let count = methods.get(method)
    if (count === undefined) {
      count = newCount()
      methods.set(method, count)
    }
    return count
  }
}

export interface UsageWriterOptions {
  readonly store: UsageStore
  readonly meter: UsageMeter
  readonly quotas: Quotas
  /** Wall clock in milliseconds. */
  readonly now: () => number
  /** Called when a batch cannot be stored; it is tried again. */
  readonly report: (error: unknown) => void
}

/** Stores what was counted every few seconds and when it is closed. One batch at a time, the same until it is stored. */
export class UsageWriter {
  readonly #options: UsageWriterOptions
  readonly #writer = randomUUID()
  #number = 0
  #batch: UsageBatch | null = null
  #timer: NodeJS.Timeout | null = null
  #isClosed = false
  #writing: Promise<void> = Promise.resolve()
  #day: string
  /** Counted since the last batch was made, of days that may have ended by now. */
  readonly #days = new Map<string, UsageMeter>()
  #isTroubled = false

  constructor(options: UsageWriterOptions) {
    this.#options = options
    this.#day = dayOf(options.now())
    this.#plan()
  }

  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    // The first may be of a batch that could not be stored before.
    await this.flush()
    if (!this.#isTroubled) await this.flush()
  }

  #plan(): void {
    // The store may be closed by now, when the last write was still running at the end.
    if (this.#isClosed) return
    const now = this.#options.now()
    const delay = Math.min(FLUSH_MS, DAY_MS - (now % DAY_MS) + 1)
    this.#timer = setTimeout(() => void this.flush().then(() => this.#plan()), delay).unref()
  }

  /** What a day has counted stays its own, however long the store is away. */
  #collect(): void {
    const { meter, now } = this.#options
    const ofDay = this.#days.get(this.#day) ?? new UsageMeter()
    ofDay.add(meter.takeCounts())
    this.#days.set(this.#day, ofDay)
    this.#day = dayOf(now())
  }

  #next(): UsageBatch | null {
    const { quotas } = this.#options
    const usage = [...this.#days].flatMap(([day, counts]) => counts.takeCounts().map((count) => ({ day, ...count })))
    this.#days.clear()
    const months = quotas.take()
    if (usage.length === 0 && months.length === 0) return null
    this.#number++
    return { writer: this.#writer, number: this.#number, usage, months }
  }

  async #write(): Promise<void> {
    const { store, quotas, report } = this.#options
    this.#collect()
    try {
      this.#batch ??= this.#next()
      if (this.#batch !== null) await store.add(this.#batch)
      this.#batch = null
      quotas.stored()
      const { month, keyIds } = quotas
      if (keyIds.length > 0)
        for (const [keyId, total] of await store.months(month, keyIds)) quotas.learn(month, keyId, total)
      this.#isTroubled = false
    } catch (error) {
      if (!this.#isTroubled) report(error)
      this.#isTroubled = true
    }
  }
}
