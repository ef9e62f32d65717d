import { z } from 'zod'
import { account, amount, number } from './fields.ts'

const stake = {
  source: account('Owner of the stake.'),
  stake_wallet: account('Contract of the stake.'),
  pool: account('Pool contract.'),
}

const asset = account('Jetton staked.')

const Stake = z
  .object({
    ...stake,
    period: number('Lock in seconds.'),
    minted_stake_jettons: amount('Stake jettons received.'),
    source_jetton_wallet: account('Jetton wallet of the owner.'),
    asset,
    amount: amount('Amount in the smallest units.'),
  })
  .meta({ id: 'JvaultStakeDetails' })

const Unstake = z
  .object({
    ...stake,
    amount: amount('Amount in the smallest units.'),
    exit_code: number('TVM exit code of the request.'),
    asset,
    staking_asset: account('Jetton of the stake.'),
  })
  .meta({ id: 'JvaultUnstakeDetails' })

const Reward = z
  .object({ jetton: account('Wallet that paid the reward.'), amount: amount('Amount in the smallest units.') })
  .meta({ id: 'JvaultReward' })

const Claim = z
  .object({ ...stake, claimed_rewards: z.array(Reward).describe('Rewards received.') })
  .meta({ id: 'JvaultClaimDetails' })

export const jvault = {
  jvault_stake: Stake,
  jvault_unstake: Unstake,
  jvault_unstake_request: Unstake,
  jvault_claim: Claim,
}
