import { z } from 'zod'
import { method } from '../../method.ts'
import { AccountFilter } from '../filters.ts'
import { bookField } from '../sideObjects.ts'
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
const { POOL, VALIDATOR, NOMINATOR } = stakingExamples

const ActiveNominator = z
  .object({
    address: RawAddress.describe('Nominator.'),
    balance: Digits.describe('Active part in nanotons: it earns and loses with the stake.'),
    pending_balance: Digits.describe('Deposited while a stake was out, in nanotons; active from its return on.'),
  })
  .meta({ id: 'ActiveNominator' })

const NominatorPoolEntry = z
  .object({
    pool_address: PoolField,
    balance: Digits.describe('Active part in nanotons.'),
    pending_balance: Digits.describe('Pending part in nanotons.'),
  })
  .meta({ id: 'NominatorPosition' })

const NominatorEvent = z
  .object({
    ...transactionFields,
    pool_address: PoolField,
    nominator_address: RawAddress.describe('Nominator.'),
    type: z
      .enum(['reward', 'deposit', 'withdrawal', 'pending_deposit_activation', 'withdrawal_request'])
      .describe('What happened.'),
    amount: signedDigits('Amount in nanotons; of a `reward` that is a share of a loss'),
    balance_delta: signedDigits('Change of the active part in nanotons'),
    pending_balance_delta: signedDigits('Change of the pending part in nanotons'),
    balance_before: Digits.describe('Active part before.'),
    balance_after: Digits.describe('Active part after.'),
    pending_balance_before: Digits.describe('Pending part before.'),
    pending_balance_after: Digits.describe('Pending part after.'),
    withdraw_request_before: z.boolean().describe('True when a withdrawal had been requested before.'),
    withdraw_request_after: z.boolean().describe('True when a withdrawal is requested after.'),
  })
  .meta({ id: 'NominatorEvent' })

const NominatorReward = z
  .object({
    utime: transactionFields.utime,
    reward: signedDigits('Share of the reward in nanotons, or of a loss'),
    stake_before: Digits.describe('Active part before.'),
    tx_hash: transactionFields.tx_hash,
    tx_lt: transactionFields.tx_lt,
  })
  .meta({ id: 'NominatorReward' })

const nominatorEvent = {
  ...transactionExample,
  pool_address: POOL,
  nominator_address: NOMINATOR,
  type: 'reward',
  amount: '14362957106',
  balance_delta: '14362957106',
  pending_balance_delta: '0',
  balance_before: '2000000000011',
  balance_after: '2014362957117',
  pending_balance_before: '500000000000',
  pending_balance_after: '500000000000',
  withdraw_request_before: false,
  withdraw_request_after: false,
} as const

const TOTAL = 'Sum of the rewards of this page in nanotons'

export const nominatorPoolsV3 = {
  'v3.staking.nominatorPools.pool': method({
    summary: 'A nominator pool with its nominators.',
    description:
      'As of the newest indexed block. Pools have the code of the public contract, or its storage and get-methods; any other account is not found.',
    group,
    params: z.strictObject({ pool: PoolParam }),
    result: z
      .object({
        stake_amount_sent: Digits.describe('Stake that is out, in nanotons, without the 1 TON for its confirmation.'),
        validator_amount: Digits.describe('Part of the validator, in nanotons.'),
        validator_address: RawAddress.describe('Wallet of the validator.'),
        validator_reward_share: z.int().describe('Share of rewards that is the validator’s, in parts of 10,000.'),
        state: z.int().describe('0: no stake is out; 1: sent and not answered; 2: accepted.'),
        nominators_count: z.int().describe('Number of nominators.'),
        max_nominators_count: z.int().describe('How many nominators it takes.'),
        min_validator_stake: Digits.describe('Least part of the validator for a stake, in nanotons.'),
        min_nominator_stake: Digits.describe('Least deposit of a nominator, in nanotons.'),
        active_nominators: z.array(ActiveNominator).describe('Nominators by address.'),
        ...bookField,
      })
      .meta({ id: 'NominatorPool' }),
    rest: readsV3('staking/nominatorPools/pool'),
    whenMissing: needed('pool'),
    freshness: 'index',
    example: {
      params: { pool: POOL },
      result: {
        stake_amount_sent: '10000000000000',
        validator_amount: '5000000000000',
        validator_address: VALIDATOR,
        validator_reward_share: 4000,
        state: 2,
        nominators_count: 1,
        max_nominators_count: 40,
        min_validator_stake: '1000000000000',
        min_nominator_stake: '100000000000',
        active_nominators: [{ address: NOMINATOR, balance: '2000000000011', pending_balance: '500000000000' }],
        ...bookExample(POOL, VALIDATOR, NOMINATOR),
      },
    },
  }),

  'v3.staking.nominatorPools.nominator': method({
    summary: 'Pools that a nominator is in, by address.',
    description:
      'A nominator who has left a pool is not in its list any more; v3.staking.nominatorPools.nominatorEvents has the history.',
    group,
    params: z.strictObject({
      nominator: AccountFilter.describe('Account with a deposit in a pool, now or once.'),
      ...newestPage(1000),
    }),
    result: z
      .object({
        nominator_pools: z.array(NominatorPoolEntry).describe('What is in each pool.'),
        ...bookField,
        cursor: listFields.cursor,
      })
      .meta({ id: 'NominatorResponse' }),
    rest: readsV3('staking/nominatorPools/nominator'),
    whenMissing: needed('nominator'),
    freshness: 'index',
    paged: true,
    example: {
      params: { nominator: NOMINATOR },
      result: {
        nominator_pools: [{ pool_address: POOL, balance: '2000000000011', pending_balance: '500000000000' }],
        ...bookExample(NOMINATOR, POOL),
        cursor: null,
      },
    },
  }),

  'v3.staking.nominatorPools.nominatorEvents': method({
    summary: 'What happened to the parts of nominators in a pool, newest first.',
    description:
      'Amounts are those of the pool’s ledger: a deposit counts without its fee of 1 TON. An account that is no pool has no events.',
    group,
    params: z.strictObject({
      pool: PoolParam,
      nominator: AccountFilter.optional().describe('Only of this nominator.'),
      ...windowParams,
      ...newestPage(),
    }),
    result: z
      .object({
        ...windowFields,
        events: z.array(NominatorEvent).describe('Events of this page.'),
        ...listFields,
      })
      .meta({ id: 'NominatorEventsResponse' }),
    rest: readsV3('staking/nominatorPools/nominatorEvents'),
    whenMissing: needed('pool'),
    freshness: 'index',
    paged: true,
    example: {
      params: { pool: POOL, nominator: NOMINATOR, start_utime: 1700002341 },
      result: {
        start_utime: 1700002341,
        events: [nominatorEvent],
        ...listExample,
        ...bookExample(POOL, NOMINATOR),
      },
    },
  }),

  'v3.staking.nominatorPools.nominatorRewards': method({
    summary: 'Rewards of a nominator from a pool, newest first.',
    description: 'A round that brought nothing has no row; a loss has one below zero.',
    group,
    params: z.strictObject({
      nominator: AccountFilter.describe('Account with a deposit in a pool, now or once.'),
      pool: PoolParam,
      ...windowParams,
      ...newestPage(),
    }),
    result: z
      .object({
        ...windowFields,
        total_on_page: signedDigits(TOTAL),
        rewards: z.array(NominatorReward).describe('Rewards of this page.'),
        ...listFields,
      })
      .meta({ id: 'NominatorRewardsResponse' }),
    rest: readsV3('staking/nominatorPools/nominatorRewards'),
    whenMissing: needed('nominator', 'pool'),
    freshness: 'index',
    paged: true,
    example: {
      params: { nominator: NOMINATOR, pool: POOL },
      result: {
        total_on_page: '14362957106',
        rewards: [{ reward: '14362957106', stake_before: '2000000000011', ...transactionExample }],
        ...listExample,
        ...bookExample(NOMINATOR, POOL),
      },
    },
  }),
}
