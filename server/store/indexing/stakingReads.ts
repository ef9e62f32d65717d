// What the indexer reads of staking that is indexed already.

import type { Sql } from '../database.ts'
import { readAll } from '../read/read.ts'
import { sql } from '../sql.ts'
import type { AccountKey } from '../tables/column.ts'
import {
  type NominatorPoolRow,
  nominatorPools,
  type PoolNominatorRow,
  poolNominators,
  type StakingStartRow,
  stakingStart,
} from '../tables/staking.ts'

/** A pool with its nominators, broken ones too; null for an account that is no pool. */
export interface IndexedPool {
  readonly pool: NominatorPoolRow
  readonly nominators: readonly PoolNominatorRow[]
}

export async function readIndexedPool(from: Sql, account: AccountKey): Promise<IndexedPool | null> {
  const [pool] = await readAll(from, {
    statement: sql`select ${nominatorPools.select('t')} from nominator_pools t where t.account = ${account}`,
    toValue: nominatorPools.decode,
  })
  if (pool === undefined) return null
  const nominators = await readAll(from, {
    statement: sql`select ${poolNominators.select('t')} from pool_nominators t where t.pool = ${account}
      order by t.nominator`,
    toValue: poolNominators.decode,
  })
  return { pool, nominators }
}

/** Accounts that are or were pools, at most `most`. */
export async function readPoolAccounts(from: Sql, most: number): Promise<readonly AccountKey[]> {
  const { account } = nominatorPools.fields
  return await readAll(from, {
    statement: sql`select account from nominator_pools limit ${most}`,
    toValue: (row) => account.decode(row.account),
  })
}

/** Null when staking was never indexed here. */
export async function readStakingStart(from: Sql): Promise<StakingStartRow | null> {
  const [start] = await readAll(from, {
    statement: sql`select ${stakingStart.select('t')} from staking_start t`,
    toValue: stakingStart.decode,
  })
  return start ?? null
}
