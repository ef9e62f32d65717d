// Where usage is kept: a file of one machine, or a database of all.

/** Calls of one method with one key on one day. */
export interface CountedUsage {
  /** In UTC, `2026-11-21`. */
  readonly day: string
  /** Empty for callers without a key. */
  readonly keyId: string
  readonly method: string
  readonly calls: number
  /** What they took from the budget. */
  readonly weight: number
  /** Calls that failed, those over the limit left out. */
  readonly errors: number
  readonly limited: number
  /** Of results, before compression. */
  readonly bytes: number
}

export interface UsageBatch {
  readonly writer: string
  /** Grows with each batch of a writer; one that is sent twice is counted once. */
  readonly number: number
  readonly usage: readonly CountedUsage[]
  /** What was taken from monthly quotas. */
  readonly months: readonly { readonly month: string; readonly keyId: string; readonly weight: number }[]
}

export interface UsageRange {
  /** Days in UTC, both included. */
  readonly from: string
  readonly to: string
  /** Null for all. */
  readonly keyId: string | null
}

export interface UsageStore {
  add(batch: UsageBatch): Promise<void>
  /** By day, key and method. */
  read(range: UsageRange): Promise<readonly CountedUsage[]>
  /** What keys have taken from their quotas in a month; keys that took nothing may be absent. */
  months(month: string, keyIds: readonly string[]): Promise<ReadonlyMap<string, number>>
}
