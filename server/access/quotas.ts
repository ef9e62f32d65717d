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
}

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

export class Quotas {
  readonly #now: () => number
  #month: string
  #ends: number
  #spent = new Map<string, Spent>()
  /** To be added to the shared totals, by month and key: by a clock that is set back a month may end twice. */
  readonly #due = new Map<string, SpentInMonth>()

  constructor(now: () => number) {
    this.#now = now
    this.#month = monthOf(now())
    this.#ends = nextMonth(now())
  }

  /** Whether the total of this month was read before. */
  knows(keyId: string): boolean {
    this.#turn()
    return this.#spent.has(keyId)
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
    const spent = this.#spentOf(keyId)
    spent.used += cost
    spent.unsent += cost
    const warning = warningOf({ limit, used: spent.used }) ?? 0
    if (warning <= spent.warned) return null
    spent.warned = warning
    return warning
  }

  /** The total of all processes, without what is unsent here. */
  learn(month: string, keyId: string, total: number): void {
    if (month !== this.#month) return
    const spent = this.#spentOf(keyId)
    spent.used = total + spent.unsent
  }

  /** What is to be added to the shared totals; it counts as sent. */
  take(): readonly SpentInMonth[] {
    this.#takeUnsent()
    const taken = [...this.#due.values()]
    this.#due.clear()
    return taken
  }

  /** Keys whose totals are of interest. */
  get keyIds(): readonly string[] {
    return [...this.#spent.keys()]
  }

  #takeUnsent(): void {
    const month = this.#month
    for (const [keyId, spent] of this.#spent) {
      if (spent.unsent === 0) continue
      const name = `${month} ${keyId}`
      this.#due.set(name, { month, keyId, weight: (this.#due.get(name)?.weight ?? 0) + spent.unsent })
      spent.unsent = 0
    }
  }

  #spentOf(keyId: string): Spent {
    const known = this.#spent.get(keyId)
    if (known !== undefined) return known
    const spent = { used: 0, unsent: 0, warned: 0 }
    this.#spent.set(keyId, spent)
    return spent
  }

  #turn(): number {
    const now = this.#now()
    if (now < this.#ends && monthOf(now) >= this.#month) return now
    this.#takeUnsent()
    this.#spent = new Map()
    this.#month = monthOf(now)
    this.#ends = nextMonth(now)
    return now
  }
}
