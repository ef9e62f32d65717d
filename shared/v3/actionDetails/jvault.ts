import { z } from 'zod'
import { accountField, amountField, numberField, usualFields } from './fields.ts'

const stake = {
  source: accountField('Owner of the stake.'),
  stake_wallet: accountField('Contract of the stake.'),
  pool: usualFields.pool,
}

const asset = accountField('Jetton staked.')

const Stake = z
  .object({
    ...stake,
    period: numberField('Lock in seconds.'),
    minted_stake_jettons: amountField('Stake jettons received.'),
    source_jetton_wallet: accountField('Jetton wallet of the owner.'),
    asset,
    amount: usualFields.amount,
  })
  .meta({ id: 'JvaultStakeDetails' })

const Unstake = z
  .object({
    ...stake,
    amount: usualFields.amount,
    exit_code: numberField('TVM exit code of the request.'),
    asset,
    staking_asset: accountField('Jetton of the stake.'),
  })
  .meta({ id: 'JvaultUnstakeDetails' })

const Reward = z
  .object({
    jetton: accountField('Wallet that paid the reward.'),
    amount: usualFields.amount,
  })
  .meta({ id: 'JvaultReward' })

const Claim = z
  .object({ ...stake, claimed_rewards: z.array(Reward).describe('Rewards received.') })
  .meta({ id: 'JvaultClaimDetails' })

export const jvaultDetails = {
  jvault_stake: Stake,
  jvault_unstake: Unstake,
  jvault_unstake_request: Unstake,
  jvault_claim: Claim,
}
