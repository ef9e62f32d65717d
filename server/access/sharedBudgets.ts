// Budgets that several processes share. A call is decided here at once, by what this process knows; what was spent is sent
// to the shared ledger a moment later, and what others have spent comes back. So a caller may get a little more than its
// rate for that moment, and pays it off afterwards. Without the ledger each process counts alone.

import type { BudgetState, Tier } from './access.ts'
import { type Budgets, sizeOf } from './budget.ts'

/** What a subject has spent, as the milliseconds in which its bucket fills up again. */
export interface Debt {
  readonly subject: string
  readonly ms: number
  /** In which the bucket fills up when it is empty. */
  readonly bucketMs: number
}

export interface BudgetLedger {
  /** Adds debts and returns the milliseconds until each bucket is full, those of all processes counted. */
  add(debts: readonly Debt[]): Promise<readonly number[]>
  close(): void
}

const SEND_MS = 50
const MOST_AT_ONCE = 1_000

export class SharedBudgets {
  readonly #local: Budgets
  readonly #ledger: BudgetLedger
  #unsent = new Map<string, Omit<Debt, 'subject'>>()
  #isSending = false
  #timer: NodeJS.Timeout | null = null

  constructor(local: Budgets, ledger: BudgetLedger) {
    this.#local = local
    this.#ledger = ledger
  }

  spend(subject: string, tier: Tier, cost: number): BudgetState {
    const budget = this.#local.spend(subject, tier, cost)
    if (budget.allowed && cost > 0) {
      const ms = this.#unsentOf(subject) + (cost * 1000) / tier.perSecond
      this.#unsent.set(subject, { ms, bucketMs: (sizeOf(tier) * 1000) / tier.perSecond })
      this.#plan()
    }
    return budget
  }

  peek(subject: string, tier: Tier): BudgetState {
    return this.#local.peek(subject, tier)
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#ledger.close()
  }

  #unsentOf(subject: string): number {
    return this.#unsent.get(subject)?.ms ?? 0
  }

  #plan(): void {
    if (this.#timer !== null || this.#isSending) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#send()
    }, SEND_MS).unref()
  }

  async #send(): Promise<void> {
    this.#isSending = true
    const debts = [...this.#unsent].slice(0, MOST_AT_ONCE).map(([subject, debt]) => ({ subject, ...debt }))
    for (const { subject } of debts) this.#unsent.delete(subject)
    try {
      const untilFull = await this.#ledger.add(debts)
      for (const [i, { subject }] of debts.entries())
        this.#local.raise(subject, (untilFull[i] ?? 0) + this.#unsentOf(subject))
    } catch {
      // The connection reports it. What was spent is counted here.
    }
    this.#isSending = false
    if (this.#unsent.size > 0) this.#plan()
  }
}
