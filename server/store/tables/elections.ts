// Elections, the sets of validators they led to, and complaints about validators: as the elector and the configuration showed
// them last. A row outlives what it was read from.

import { sql } from '../sql.ts'
import { account, bool, bytea, int2, int4, int4List, numeric, uint32 } from './column.ts'
import { type RowFrom, table } from './table.ts'

/** Masterchain block that was indexed together with the row. */
const since = { firstMcSeqno: int4 }
const undo = { above: 'firstMcSeqno' } as const

export const elections = table(
  'elections',
  {
    electionId: uint32,
    ...since,
    electClose: uint32,
    minStake: numeric,
    /** Sum of all accepted stakes. */
    totalStake: numeric,
    totalParticipants: int4,
    failed: bool,
    finished: bool,
  },
  {
    onConflict: { key: 'electionId', except: ['firstMcSeqno'] },
    undo,
  },
)

export type ElectionRow = RowFrom<typeof elections>

export const electionParticipants = table(
  'election_participants',
  {
    electionId: uint32,
    publicKey: bytea,
    holder: account,
    adnl: bytea,
    stake: numeric,
    /** As declared, in units of 1/65536. */
    maxFactor: uint32,
  },
  { onConflict: { key: ['electionId', 'publicKey'] }, undo: { with: elections, by: 'electionId' } },
)

export type ElectionParticipantRow = RowFrom<typeof electionParticipants>

/** Elections that were conducted; fines make the total smaller later, so the largest is kept. */
const pastElections = table(
  'past_elections',
  {
    electionId: uint32,
    ...since,
    validatorSetHash: bytea,
    totalStake: numeric,
  },
  {
    onConflict: {
      key: 'electionId',
      except: ['firstMcSeqno'],
      where: sql`past_elections.total_stake <= excluded.total_stake`,
    },
    undo,
  },
)

export type PastElectionRow = RowFrom<typeof pastElections>

/** True stakes of the elected, the largest seen. */
const frozenStakes = table(
  'frozen_stakes',
  {
    electionId: uint32,
    publicKey: bytea,
    holder: account,
    stake: numeric,
  },
  {
    onConflict: { key: ['electionId', 'publicKey'], where: sql`frozen_stakes.stake < excluded.stake` },
    undo: { with: pastElections, by: 'electionId' },
  },
)

export type FrozenStakeRow = RowFrom<typeof frozenStakes>

/** Sets of validators, with the rules of elections when the set was first seen. */
export const cycles = table(
  'cycles',
  {
    cycleStart: uint32,
    ...since,
    cycleEnd: uint32,
    validatorSetHash: bytea,
    total: int4,
    main: int4,
    totalWeight: numeric,
    electedFor: uint32,
    startBefore: uint32,
    endBefore: uint32,
    stakeHeldFor: uint32,
    maxValidators: int4,
    maxMainValidators: int4,
    minValidators: int4,
    minStakeLimit: numeric,
    maxStakeLimit: numeric,
    minTotalStake: numeric,
    maxStakeFactor: uint32,
  },
  { onConflict: 'keep', undo },
)

export type CycleRow = RowFrom<typeof cycles>

export const cycleValidators = table(
  'cycle_validators',
  {
    cycleStart: uint32,
    index: int4,
    publicKey: bytea,
    adnl: bytea,
    weight: numeric,
  },
  { onConflict: 'keep', undo: { with: cycles, by: 'cycleStart' } },
)

export type CycleValidatorRow = RowFrom<typeof cycleValidators>

export const complaints = table(
  'complaints',
  {
    electionId: uint32,
    hash: bytea,
    ...since,
    /** Public key of the accused validator. */
    publicKey: bytea,
    /** Bag of cells with CRC32C. */
    description: bytea,
    createdAt: uint32,
    severity: int2,
    rewardTo: account,
    paid: numeric,
    suggestedFine: numeric,
    /** In units of 2^-32. */
    suggestedFinePart: uint32,
    /** Indexes of the voters in the set that voted last, ascending. */
    voters: int4List,
    /** Hash of the set that voted last; zeros before the first vote. */
    validatorSetId: bytea,
    /** Hash of the set whose votes decide: the one that voted last, or the current one. */
    decidingSet: bytea,
    weightRemaining: numeric,
  },
  {
    onConflict: {
      key: ['electionId', 'hash'],
      change: ['voters', 'validatorSetId', 'decidingSet', 'weightRemaining'],
    },
    undo,
  },
)

export type ComplaintRow = RowFrom<typeof complaints>

export const electionTables = {
  elections,
  electionParticipants,
  pastElections,
  frozenStakes,
  cycles,
  cycleValidators,
  complaints,
}
