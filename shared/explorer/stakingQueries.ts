// Calls of the pages of validators and of nominator pools.

import { query } from './explorerQuery.ts'

/** All cycles in short, the newest ones in full, and elections. */
export const VALIDATORS = [
  query('v3.validators.cycles', { limit: 60 }),
  query('v3.validators.cycles', { limit: 2, return_validators: true }),
  query('v3.validators.elections', { limit: 10 }),
] as const

export const NEWEST_STAKES = query('v3.validators.events', { type: 'stake_accepted', limit: 500 })

export const poolQueries = (pool: string) =>
  [
    query('v3.staking.nominatorPools.pool', { pool }),
    query('v3.staking.nominatorPools.nominatorEvents', { pool, limit: 500 }),
  ] as const
