import { z } from 'zod'
import { method } from '../../method.ts'
import { AccountFilter } from '../filters.ts'
import { Digits, RawAddress, readsV3 } from '../values.ts'
import {
  bookExample,
  listExample,
  listFields,
  needed,
  newestPage,
  PoolField,
  PoolParam,
  signedDigits,
  stakingExamples,
  transactionExample,
  transactionFields,
  windowFields,
  windowParams,
} from './parts.ts'

const group = 'staking'
const { POOL, VALIDATOR } = stakingExamples

const LedgerEventType = z.enum(['reward', 'penalty', 'deposit', 'withdrawal'])

const queryField = { query_id: Digits.optional().describe('Query id of the message; absent when it has none.') }
const cycleField = {
  cycle_start: z.int().optional().describe('Election id of the stake that came back; only of `reward` and `penalty`.'),
}

const PoolValidatorEvent = z
  .object({
    ...transactionFields,
    pool_address: PoolField,
    validator_address: RawAddress.describe('Wallet of the validator.'),
    type: LedgerEventType.describe('What happened.'),
    amount: Digits.describe('Size of the change in nanotons.'),
    balance_delta: signedDigits('Change in nanotons'),
    balance_before: Digits.describe('Part of the validator before, in nanotons.'),
    balance_after: Digits.describe('Part of the validator after, in nanotons.'),
    ...queryField,
    ...cycleField,
    validator_reward_share: z.int().describe('Share of rewards that is the validator’s, in parts of 10,000.'),
  })
  .meta({ id: 'PoolValidatorEvent' })

const PoolValidatorReward = z
  .object({
    utime: transactionFields.utime,
    reward: Digits.describe('Share of the reward in nanotons.'),
    balance_before: Digits.describe('Part of the validator before, in nanotons.'),
    tx_hash: transactionFields.tx_hash,
    tx_lt: transactionFields.tx_lt,
    ...cycleField,
    ...queryField,
  })
  .meta({ id: 'PoolValidatorReward' })

export const poolValidatorsV3 = {
  'v3.staking.nominatorPools.validatorEvents': method({
    summary: 'What happened to the validator’s own part of a pool, newest first.',
    description: 'Requires `validator` or `pool`. Amounts are those of the pool’s ledger, not of messages.',
    group,
    params: z.strictObject({
      validator: AccountFilter.optional().describe('Only of pools of this validator.'),
      pool: AccountFilter.optional().describe('Only of this pool.'),
      type: LedgerEventType.optional().describe('Only events of this type.'),
      ...windowParams,
      ...newestPage(),
    }),
    result: z
      .object({
        ...windowFields,
        events: z.array(PoolValidatorEvent).describe('Events of this page.'),
        ...listFields,
      })
      .meta({ id: 'PoolValidatorEventsResponse' }),
    rest: readsV3('staking/nominatorPools/validatorEvents'),
    freshness: 'index',
    paged: true,
    example: {
      params: { pool: POOL, type: 'reward' },
      result: {
        events: [
          {
            ...transactionExample,
            pool_address: POOL,
            validator_address: VALIDATOR,
            type: 'reward',
            amount: '28725914212',
            balance_delta: '28725914212',
            balance_before: '5000000000000',
            balance_after: '5028725914212',
            query_id: '71',
            cycle_start: 1700000900,
            validator_reward_share: 4000,
          },
        ],
        ...listExample,
        ...bookExample(POOL, VALIDATOR),
      },
    },
  }),

  'v3.staking.nominatorPools.validatorRewards': method({
    summary: 'Rewards of the validator of a pool, newest first.',
    description: 'Losses are not among them; v3.staking.nominatorPools.validatorEvents lists those as `penalty`.',
    group,
    params: z.strictObject({
      validator: AccountFilter.describe('Wallet of the validator.'),
      pool: PoolParam,
      ...windowParams,
      ...newestPage(),
    }),
    result: z
      .object({
        ...windowFields,
        total_on_page: Digits.describe('Sum of the rewards of this page in nanotons.'),
        rewards: z.array(PoolValidatorReward).describe('Rewards of this page.'),
        ...listFields,
      })
      .meta({ id: 'PoolValidatorRewardsResponse' }),
    rest: readsV3('staking/nominatorPools/validatorRewards'),
    whenMissing: needed('validator', 'pool'),
    freshness: 'index',
    paged: true,
    example: {
      params: { validator: VALIDATOR, pool: POOL },
      result: {
        total_on_page: '28725914212',
        rewards: [
          {
            ...transactionExample,
            reward: '28725914212',
            balance_before: '5000000000000',
            cycle_start: 1700000900,
            query_id: '71',
          },
        ],
        ...listExample,
        ...bookExample(VALIDATOR, POOL),
      },
    },
  }),
}
