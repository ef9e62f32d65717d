// Pools and what happened on their ledgers as v3 writes them.

import { toDigits } from '../../../../../shared/primitives.ts'
import type { Result } from '../../../../../shared/registry.ts'
import type { nominatorPoolsV3 } from '../../../../../shared/v3/staking/nominatorPools.ts'
import type { poolValidatorsV3 } from '../../../../../shared/v3/staking/poolValidators.ts'
import { base64Of } from '../../../../cell/index.ts'
import type {
  NominatorEventRow,
  NominatorPoolRow,
  PoolNominatorRow,
  PoolValidatorEventRow,
} from '../../../../store/index.ts'
import { rawOfKey } from '../../../keyOfAccount.ts'

type Nominators = typeof nominatorPoolsV3
type Validators = typeof poolValidatorsV3
type Pool = Result<Nominators['v3.staking.nominatorPools.pool']>
type Position = Result<Nominators['v3.staking.nominatorPools.nominator']>['nominator_pools'][number]
type Event = Result<Nominators['v3.staking.nominatorPools.nominatorEvents']>['events'][number]
type Reward = Result<Nominators['v3.staking.nominatorPools.nominatorRewards']>['rewards'][number]
type ValidatorEvent = Result<Validators['v3.staking.nominatorPools.validatorEvents']>['events'][number]
type ValidatorReward = Result<Validators['v3.staking.nominatorPools.validatorRewards']>['rewards'][number]

export const toPool = (row: NominatorPoolRow, nominators: readonly PoolNominatorRow[]): Omit<Pool, 'address_book'> => ({
  stake_amount_sent: toDigits(row.stakeAmountSent),
  validator_amount: toDigits(row.validatorAmount),
  validator_address: rawOfKey(row.validator),
  validator_reward_share: row.validatorShare,
  state: row.state,
  nominators_count: row.nominatorsCount,
  max_nominators_count: row.maxNominators,
  min_validator_stake: toDigits(row.minValidatorStake),
  min_nominator_stake: toDigits(row.minNominatorStake),
  active_nominators: nominators.map(({ nominator, balance, pending }) => ({
    address: rawOfKey(nominator),
    balance: toDigits(balance),
    pending_balance: toDigits(pending),
  })),
})

export const toPosition = ({ pool, balance, pending }: PoolNominatorRow): Position => ({
  pool_address: rawOfKey(pool),
  balance: toDigits(balance),
  pending_balance: toDigits(pending),
})

interface Head {
  readonly txHash: Uint8Array
  readonly txLt: bigint
  readonly utime: number
}

export const poolTransactionFields = ({ txHash, txLt, utime }: Head) => ({
  tx_hash: base64Of(txHash),
  tx_lt: toDigits(txLt),
  utime,
})

export const toNominatorEvent = (row: NominatorEventRow): Event => ({
  ...poolTransactionFields(row),
  pool_address: rawOfKey(row.pool),
  nominator_address: rawOfKey(row.nominator),
  type: row.type,
  amount: toDigits(row.amount),
  balance_delta: toDigits(row.balanceAfter - row.balanceBefore),
  pending_balance_delta: toDigits(row.pendingAfter - row.pendingBefore),
  balance_before: toDigits(row.balanceBefore),
  balance_after: toDigits(row.balanceAfter),
  pending_balance_before: toDigits(row.pendingBefore),
  pending_balance_after: toDigits(row.pendingAfter),
  withdraw_request_before: row.requestBefore,
  withdraw_request_after: row.requestAfter,
})

export const toNominatorReward = (row: NominatorEventRow): Reward => ({
  ...poolTransactionFields(row),
  reward: toDigits(row.amount),
  stake_before: toDigits(row.balanceBefore),
})

const cycleAndQuery = ({ queryId, cycleStart }: PoolValidatorEventRow) => ({
  ...(queryId === null ? {} : { query_id: toDigits(queryId) }),
  ...(cycleStart === null ? {} : { cycle_start: cycleStart }),
})

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

export function toPoolValidatorEvent(row: PoolValidatorEventRow): ValidatorEvent {
  const delta = row.balanceAfter - row.balanceBefore
  return {
    ...poolTransactionFields(row),
    pool_address: rawOfKey(row.pool),
    validator_address: rawOfKey(row.validator),
    type: row.type,
    amount: toDigits(magnitude(delta)),
    balance_delta: toDigits(delta),
    balance_before: toDigits(row.balanceBefore),
    balance_after: toDigits(row.balanceAfter),
    ...cycleAndQuery(row),
    validator_reward_share: row.validatorShare,
  }
}

export const toPoolValidatorReward = (row: PoolValidatorEventRow): ValidatorReward => ({
  ...poolTransactionFields(row),
  reward: toDigits(row.balanceAfter - row.balanceBefore),
  balance_before: toDigits(row.balanceBefore),
  ...cycleAndQuery(row),
})
