// Who is calling, and how much of their budget is left.

/** What keys of one name may do; null is no limit but those of the service. */
export interface Plan {
  readonly name: string
  /** Null where each key has a rate of its own. */
  readonly perSecond: number | null
  /** Calls of a calendar month by their weights, for keys without a quota of their own. */
  readonly monthly: number | null
  /** Connections that are open at once with one key. */
  readonly connections: number | null
  readonly streamConnections: number | null
  /** Of one stream or webhook. */
  readonly streamAddresses: number | null
  readonly webhooks: number
}

/** Limits a caller falls under. */
export interface Tier {
  readonly name: string
  readonly perSecond: number
  /** Calls that may come at once after a pause; as many as in a second when it is left out. */
  readonly burst?: number
  /** Of a key. */
  readonly plan?: Plan
}

export interface Caller {
  /** What the budget is kept by: a key's id or a client address. */
  readonly subject: string
  /** Id of the key, never the key; null without one. */
  readonly keyId: string | null
  /** Null when nothing is limited for this caller. */
  readonly tier: Tier | null
  /** Whether it may subscribe to all accounts at once; not when absent. */
  readonly allAccounts?: boolean | undefined
  /** Calls of a month by their weights; null or absent without a quota. */
  readonly monthly?: number | null
}

/** What is left of a monthly quota. */
export interface Quota {
  readonly limit: number
  readonly used: number
  /** Seconds until the next month. */
  readonly resetAfter: number
}

/** State of a budget after a spend. Times are whole seconds, rounded up. */
export interface BudgetState {
  readonly allowed: boolean
  readonly tier: Tier
  readonly remaining: number
  /** Until the budget is full again. */
  readonly resetAfter: number
  /** Until one more call passes; at least 1 when `allowed` is false, else 0. */
  readonly retryAfter: number
  /** Of a key with a monthly quota. */
  readonly quota?: Quota
}

export interface Access {
  /**
   * Identifies the caller. Throws ApiError `unauthorized` for an unknown key and `forbidden` for one of another
   * network. Answers at once, without a promise, when the key was seen a moment ago.
   */
  identify(key: string | undefined, address: string): Caller | Promise<Caller>
  /**
   * Takes `cost` from the caller's budget, or nothing when it is refused; null when the caller is not limited. A promise
   * where another process keeps the budgets.
   */
  spend(caller: Caller, cost: number): BudgetState | null | Promise<BudgetState | null>
  /** Counts for the usage of a caller what is charged and is no method, such as a stream. Absent where usage is not kept. */
  readonly count?: ((caller: Caller, name: string, outcome: 'ok' | 'rateLimited') => void) | undefined
  /** Adds the bytes it was answered with. */
  readonly countBytes?: ((caller: Caller, name: string, bytes: number) => void) | undefined
  /** The same state without taking anything, as far as this process knows it. */
  peek(caller: Caller): BudgetState | null
}
