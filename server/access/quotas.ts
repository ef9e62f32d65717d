// Monthly quotas of keys. Spent here at once and added up with what other processes have spent from time to time, so a quota
// may be exceeded by what is spent between two such moments.

import type { Quota } from './access.ts'

/** Months are those of UTC: `2026-11`. */
export const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7)

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

function nextMonth(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

interface Spent {
  /** All of the month, as far as known here. */
  used: number
  /** Percent at which a warning was given last. */
  warned: number
  /** Of it, what was not added to the shared total yet. */
  unsent: number
  /** Whether the shared total was read. */
  isLearned: boolean
}

type Month = Map<string, Spent>

export interface SpentInMonth {
  readonly month: string
  readonly keyId: string
  readonly weight: number
}

/** Percent of a quota at which its owner is warned. */
const WARNINGS = [100, 95, 80] as const

/** The highest warning that a quota has reached; null below all. */
export const warningOf = ({ limit, used }: Pick<Quota, 'limit' | 'used'>): number | null =>
  WARNINGS.find((percent) => used * 100 >= limit * percent) ?? null

/** Months in memory, as a clock that jumps comes back to them. Others stay until what was spent in them is stored. */
const KNOWN_MONTHS = 3

export class Quotas {
  readonly #now: () => number
  #month: string
  #ends: number
  #spent: Month = new Map()
  /** The current one last. */
  readonly #months = new Map<string, Month>()
  /** Months of what was taken and is not stored yet. */
  readonly #taken = new Set<string>()

  constructor(now: () => number) {
    this.#now = now
    this.#month = monthOf(now())
    this.#ends = nextMonth(now())
    this.#months.set(this.#month, this.#spent)
  }

  /** Whether the total of this month was read before. */
  knows(keyId: string): boolean {
    this.#turn()
    return this.#spent.get(keyId)?.isLearned ?? false
  }

  get month(): string {
    this.#turn()
    return this.#month
  }

  state(keyId: string, limit: number): Quota {
    const now = this.#turn()
    const used = this.#spent.get(keyId)?.used ?? 0
    return { limit, used, resetAfter: Math.ceil((this.#ends - now) / 1000) }
  }

  /** Takes `cost`. Returns a percentage when this is the first call here that reached it. */
  spend(keyId: string, limit: number, cost: number): number | null {
    const spent = spentOf(this.#spent, keyId)
    spent.used += cost
    spent.unsent += cost
    const warning = warningOf({ limit, used: spent.used }) ?? 0
    if (warning <= spent.warned) return null
    spent.warned = warning
    return warning
  }

  /** The total of all processes, without what is unsent here. One that is lower was read before the last was added. */
  learn(month: string, keyId: string, total: number): void {
    const known = this.#months.get(month)
    if (known === undefined) return
    const spent = spentOf(known, keyId)
    spent.used = Math.max(spent.used, total + spent.unsent)
    spent.isLearned = true
  }

  /** What is to be added to the shared totals; it counts as sent. */
  take(): readonly SpentInMonth[] {
    const taken: SpentInMonth[] = []
    for (const [month, keys] of this.#months)
      for (const [keyId, spent] of keys) {
        if (spent.unsent > 0) taken.push({ month, keyId, weight: spent.unsent })
        spent.unsent = 0
      }
    for (const { month } of taken) this.#taken.add(month)
    return taken
  }

  /** All that was taken is in the shared totals now. */
  stored(): void {
    this.#taken.clear()
  }

  /** Keys whose totals are of interest. */
  get keyIds(): readonly string[] {
    return [...this.#spent.keys()]
  }

  #turn(): number {
    const now = this.#now()
    if (now < this.#ends && monthOf(now) >= this.#month) return now
    this.#month = monthOf(now)
    this.#ends = nextMonth(now)
    this.#spent = this.#months.get(this.#month) ?? new Map()
    this.#months.delete(this.#month)
    this.#months.set(this.#month, this.#spent)
    for (const [month, keys] of [...this.#months].slice(0, -KNOWN_MONTHS))
      if (!this.#taken.has(month) && ![...keys.values()].some(({ unsent }) => unsent > 0)) this.#months.delete(month)
    return now
  }
}

function spentOf(month: Month, keyId: string): Spent {
  const known = month.get(keyId)
  if (known !== undefined) return known
  const spent = { used: 0, unsent: 0, warned: 0, isLearned: false }
  month.set(keyId, spent)
  return spent
}
