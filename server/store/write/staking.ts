// Elections, validators and nominator pools, written in the SQL transaction of their blocks.

import type { Sql } from '../database.ts'
import { sql } from '../sql.ts'
import type { AccountKey } from '../tables/column.ts'
import { electionTables } from '../tables/elections.ts'
import { type PoolNominatorRow, stakingTables } from '../tables/staking.ts'
import { enqueue } from './enqueue.ts'
import { insertSet, type RowsOf } from './set.ts'

const TABLES = { ...electionTables, ...stakingTables }

/** Rows of one masterchain block, or of consecutive ones. No key is in a list twice. */
export interface StakingRows extends RowsOf<typeof TABLES> {
  readonly goneNominators: readonly Pick<PoolNominatorRow, 'pool' | 'nominator'>[]
  /** Accounts that stopped being pools, or whose nominators are all written again. */
  readonly gonePools: readonly AccountKey[]
}

/** Writes into the SQL transaction `to` belongs to. */
export async function writeStaking(to: Sql, rows: StakingRows): Promise<void> {
  const { gonePools, goneNominators } = rows
  if (gonePools.length > 0) {
    enqueue(to, sql`delete from pool_nominators where pool = any(${gonePools}::bytea[])`)
    enqueue(to, sql`delete from nominator_pools where account = any(${gonePools}::bytea[])`)
  }
  if (goneNominators.length > 0)
    enqueue(
      to,
      sql`delete from pool_nominators where (pool, nominator) in (select * from unnest(
        ${goneNominators.map(({ pool }) => pool)}::bytea[], ${goneNominators.map(({ nominator }) => nominator)}::bytea[]))`,
    )
  await insertSet(to, TABLES, rows)
}

/** Restores elections and pools, whose rows began at an earlier masterchain block, to what they were `then`. */
export async function restoreStaking(on: Sql, mcSeqno: number, then: StakingRows | null): Promise<void> {
  await on.query(sql`update nominator_pools set broken_mc_seqno = null where broken_mc_seqno > ${mcSeqno}`)
  const open = then?.elections.map(({ electionId }) => electionId) ?? []
  await on.query(sql`delete from election_participants where election_id = any(${open}::int8[])`)
  const restored = then?.nominatorPools.map(({ account }) => account) ?? []
  await on.query(sql`delete from pool_nominators where pool = any(${restored}::bytea[])`)
  if (then !== null) await writeStaking(on, then)
}
