// Elections, validators and nominator pools, written in the SQL transaction of the blocks that brought them.

import type { Sql } from '../database.ts'
import { sql } from '../sql.ts'
import type { AccountKey } from '../tables/column.ts'
import {
  type ComplaintRow,
  type CycleRow,
  type CycleValidatorRow,
  complaints,
  cycles,
  cycleValidators,
  type ElectionParticipantRow,
  type ElectionRow,
  electionParticipants,
  elections,
  type FrozenStakeRow,
  frozenStakes,
  type PastElectionRow,
  pastElections,
} from '../tables/elections.ts'
import {
  type NominatorEventRow,
  type NominatorPoolRow,
  nominatorEvents,
  nominatorPools,
  type PoolNominatorRow,
  type PoolValidatorEventRow,
  poolNominators,
  poolValidatorEvents,
  type StakeEventRow,
  type StakingStartRow,
  stakeEvents,
  stakingStart,
} from '../tables/staking.ts'
import { insertRows } from './bulk.ts'
import { enqueue, settleAll } from './enqueue.ts'

/** As the elector and the configuration show them. */
interface ElectionRows {
  readonly elections: readonly ElectionRow[]
  readonly electionParticipants: readonly ElectionParticipantRow[]
  readonly pastElections: readonly PastElectionRow[]
  readonly frozenStakes: readonly FrozenStakeRow[]
  readonly cycles: readonly CycleRow[]
  readonly cycleValidators: readonly CycleValidatorRow[]
  readonly complaints: readonly ComplaintRow[]
}

/** As pools are now. Nominators are those that changed. */
interface PoolRows {
  readonly pools: readonly NominatorPoolRow[]
  readonly nominators: readonly PoolNominatorRow[]
  readonly goneNominators: readonly Pick<PoolNominatorRow, 'pool' | 'nominator'>[]
  /** Accounts that are no pools any more, or whose nominators are all written anew. */
  readonly gonePools: readonly AccountKey[]
}

interface StakingEventRows {
  readonly stakeEvents: readonly StakeEventRow[]
  readonly nominatorEvents: readonly NominatorEventRow[]
  readonly poolValidatorEvents: readonly PoolValidatorEventRow[]
}

/** What one masterchain block, or several that follow each other, brought. No key is in a list twice. */
export interface StakingRows extends ElectionRows, PoolRows, StakingEventRows {
  /** With the first blocks that are read for staking. */
  readonly start: StakingStartRow | null
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
  await settleAll([
    insertRows(to, stakingStart, rows.start === null ? [] : [rows.start]),
    insertRows(to, elections, rows.elections),
    insertRows(to, electionParticipants, rows.electionParticipants),
    insertRows(to, pastElections, rows.pastElections),
    insertRows(to, frozenStakes, rows.frozenStakes),
    insertRows(to, cycles, rows.cycles),
    insertRows(to, cycleValidators, rows.cycleValidators),
    insertRows(to, complaints, rows.complaints),
    insertRows(to, nominatorPools, rows.pools),
    insertRows(to, poolNominators, rows.nominators),
    insertRows(to, stakeEvents, rows.stakeEvents),
    insertRows(to, nominatorEvents, rows.nominatorEvents),
    insertRows(to, poolValidatorEvents, rows.poolValidatorEvents),
  ])
}

const EVENTS = [stakeEvents, nominatorEvents, poolValidatorEvents]
/** Rows that go with those of another table, and the column that names it. */
const PARTS = [
  [electionParticipants, elections, 'election_id'],
  [frozenStakes, pastElections, 'election_id'],
  [cycleValidators, cycles, 'cycle_start'],
] as const
const WHOLES = [elections, pastElections, cycles, complaints]

/** Sets elections and pools back to an earlier masterchain block, where they were `then`, as far as that is known. */
export async function rollbackStaking(on: Sql, mcSeqno: number, then: StakingRows | null): Promise<void> {
  for (const { name } of EVENTS) await on.query(sql`delete from ${sql.identifier(name)} where mc_seqno > ${mcSeqno}`)
  for (const [part, whole, column] of PARTS)
    await on.query(sql`delete from ${sql.identifier(part.name)} where ${sql.identifier(column)} in (
      select ${sql.identifier(column)} from ${sql.identifier(whole.name)} where first_mc_seqno > ${mcSeqno})`)
  for (const { name } of WHOLES)
    await on.query(sql`delete from ${sql.identifier(name)} where first_mc_seqno > ${mcSeqno}`)
  await on.query(sql`delete from staking_start where mc_seqno > ${mcSeqno}`)
  const open = then?.elections.map(({ electionId }) => electionId) ?? []
  await on.query(sql`delete from election_participants where election_id = any(${open}::int8[])`)
  await on.query(sql`delete from pool_nominators where pool in (
    select account from nominator_pools where first_mc_seqno > ${mcSeqno})`)
  await on.query(sql`delete from nominator_pools where first_mc_seqno > ${mcSeqno}`)
  await on.query(sql`update nominator_pools set broken_mc_seqno = null where broken_mc_seqno > ${mcSeqno}`)
  const restored = then?.pools.map(({ account }) => account) ?? []
  await on.query(sql`delete from pool_nominators where pool = any(${restored}::bytea[])`)
  if (then !== null) await writeStaking(on, then)
}
