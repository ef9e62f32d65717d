// Access in a process that does not keep keys and budgets: it queries the one that does.

import { LRUCache } from 'lru-cache'
import type { Access, BudgetState, Caller } from './access.ts'
import { type AccessOptions, keylessCaller } from './createAccess.ts'

/** The process that keeps keys and budgets. */
export interface Keeper {
  /** Rejects with ApiError, as `Access.identify` does. */
  identify(key: string, address: string): Promise<Caller>
  spend(caller: Caller, cost: number): Promise<BudgetState | null>
  /** What this process counts of its own. */
  readonly count?: Access['count']
  readonly countBytes?: Access['countBytes']
}

/** Together with the caches of the keeper and of HTTP, a revocation takes effect within two seconds. */
const CACHED_MS = 50
const MOST_CACHED = 10_000
/** An operator may raise a monthly quota, whose end is days away. */
const EXHAUSTED_MS = 1_000

interface CachedCaller {
  readonly caller: Caller
  readonly until: number
}

interface Exhausted {
  readonly budget: BudgetState
  readonly until: number
}

export function createRemoteAccess(options: Pick<AccessOptions, 'network' | 'limits'>, keeper: Keeper): Access {
  const callers = new LRUCache<string, CachedCaller>({ max: MOST_CACHED })
  /** Callers with a spent budget. */
  const exhausted = new LRUCache<string, Exhausted>({ max: MOST_CACHED })

  async function identify(key: string, address: string): Promise<Caller> {
    const queriedAt = performance.now()
    const caller = await keeper.identify(key, address)
    callers.set(key, { caller, until: queriedAt + CACHED_MS })
    return caller
  }

  async function spend(caller: Caller, cost: number): Promise<BudgetState | null> {
    const budget = await keeper.spend(caller, cost)
    if (budget?.allowed === false) exhausted.set(caller.subject, { budget, until: performance.now() + EXHAUSTED_MS })
    return budget
  }

  return {
    identify(key, address) {
      if (key === undefined || key === '') return keylessCaller(options, address)
      const known = callers.get(key)
      return known !== undefined && performance.now() < known.until ? known.caller : identify(key, address)
    },
    count: keeper.count,
    countBytes: keeper.countBytes,
    spend: (caller, cost) => (caller.tier === null ? null : spend(caller, cost)),
    peek({ subject }) {
      const known = exhausted.get(subject)
      return known !== undefined && performance.now() < known.until ? known.budget : null
    },
  }
}
