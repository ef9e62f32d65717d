// Where usage is kept: a file of one machine, or a database of all.

import type { CountedUsage, UsageBatch, UsageRange } from '../store/index.ts'

export type { CountedUsage, UsageBatch, UsageRange }

/** Days with calls: those before are removed. */
export const KEPT_DAYS = 62
/** Months with calls: a clock that is ahead for some of them, and set back, finds what was spent in the month it left. */
export const KEPT_MONTHS = 12

export interface UsageStore {
  add(batch: UsageBatch): Promise<void>
  /** By day, key and method; of a longer range the newest days that are kept. */
  read(range: UsageRange): Promise<readonly CountedUsage[]>
  /** What keys have taken from their quotas in a month; keys that took nothing may be absent. */
  months(month: string, keyIds: readonly string[]): Promise<ReadonlyMap<string, number>>
}
