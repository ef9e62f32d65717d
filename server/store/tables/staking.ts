// Nominator pools as they are, and what happened on their ledgers. An event is named by its transaction and its place in it.

import { account, bool, bytea, generated, int2, int4, int8, nullable, numeric, oneOf, uint32 } from './column.ts'
import { type RowFrom, table } from './table.ts'

export const nominatorPools = table(
  'nominator_pools',
  {
    account,
    codeHash: bytea,
    /** Hash of the account state after its last transaction: the next event begins with this state. */
    stateHash: bytea,
    lastTxLt: int8,
    /** The masterchain block it was recognized in. */
    firstMcSeqno: int4,
    /** Masterchain block in which its storage changed in a way that no pool does: it is not a pool from then on. */
    brokenMcSeqno: nullable(int4),
    state: int2,
    nominatorsCount: int4,
    stakeAmountSent: numeric,
    validatorAmount: numeric,
    validator: account,
    /** In parts of 10,000. */
    validatorShare: int4,
    maxNominators: int4,
    minValidatorStake: numeric,
    minNominatorStake: numeric,
    /** Election id of the current or latest stake; 0 before the first. */
    stakeAt: uint32,
  },
  {
    onConflict: { key: 'account', except: ['firstMcSeqno'] },
    undo: { above: 'firstMcSeqno' },
  },
)

export type NominatorPoolRow = RowFrom<typeof nominatorPools>

export const poolNominators = table(
  'pool_nominators',
  {
    pool: account,
    nominator: account,
    balance: numeric,
    pending: numeric,
    withdrawRequested: bool,
  },
  { onConflict: { key: ['pool', 'nominator'] }, undo: { with: nominatorPools, by: 'pool', of: 'account' } },
)

export type PoolNominatorRow = RowFrom<typeof poolNominators>

const eventFields = {
  txHash: bytea,
  txLt: int8,
  utime: uint32,
  mcSeqno: int4,
}
const eventOptions = { onConflict: 'keep', undo: { above: 'mcSeqno' } } as const

const nominatorEventType = oneOf('reward', 'deposit', 'withdrawal', 'pending_deposit_activation', 'withdrawal_request')
export type NominatorEventType = ReturnType<typeof nominatorEventType.decode>

export const nominatorEvents = table(
  'nominator_events',
  {
    ...eventFields,
    /** From 0, in the order they took place in their transaction. */
    eventIndex: int4,
    pool: account,
    nominator: account,
    type: nominatorEventType,
    amount: numeric,
    balanceBefore: numeric,
    balanceAfter: numeric,
    pendingBefore: numeric,
    pendingAfter: numeric,
    requestBefore: bool,
    requestAfter: bool,
  },
  eventOptions,
)

export type NominatorEventRow = RowFrom<typeof nominatorEvents>

const ledgerEventType = oneOf('reward', 'penalty', 'deposit', 'withdrawal')
export type LedgerEventType = ReturnType<typeof ledgerEventType.decode>

/** Changes of the validator's own part of a pool. */
export const poolValidatorEvents = table(
  'pool_validator_events',
  {
    ...eventFields,
    pool: account,
    validator: account,
    type: ledgerEventType,
    balanceBefore: numeric,
    balanceAfter: numeric,
    queryId: nullable(numeric),
    /** Election id of the stake that came back. */
    cycleStart: nullable(uint32),
    /** In parts of 10,000. */
    validatorShare: int4,
  },
  eventOptions,
)

export type PoolValidatorEventRow = RowFrom<typeof poolValidatorEvents>

const stakeEventType = oneOf(
  'stake_accepted',
  'stake_rejected',
  'stake_recovered',
  'recover_requested',
  'recover_failed',
)
export type StakeEventType = ReturnType<typeof stakeEventType.decode>

/** Stakes offered to the elector and taken back from it. */
export const stakeEvents = table(
  'stake_events',
  {
    ...eventFields,
    type: stakeEventType,
    holder: account,
    publicKey: nullable(bytea),
    adnl: nullable(bytea),
    electionId: nullable(uint32),
    queryId: nullable(numeric),
    amount: numeric,
    reason: nullable(uint32),
  },
  eventOptions,
)

export type StakeEventRow = RowFrom<typeof stakeEvents>

/** First block that was read for staking: a table with one row. */
export const stakingStart = table(
  'staking_start',
  { onlyRow: generated(bool), mcSeqno: int4, utime: uint32 },
  { undo: { above: 'mcSeqno' } },
)

export type StakingStartRow = RowFrom<typeof stakingStart>

export const stakingTables = {
  nominatorPools,
  poolNominators,
  nominatorEvents,
  poolValidatorEvents,
  stakeEvents,
  stakingStart,
}
