import { z } from 'zod'
import { Digits } from '../values.ts'
import { account, amount } from './fields.ts'

const stake = {
  provider: z.enum(['liquid_staking', 'nominator', 'ethena']).describe('Kind of pool.'),
  stake_holder: account('Owner of the stake.'),
  pool: account('Pool contract.'),
  asset: account('Jetton of the pool; null for a pool without one.'),
}

const Deposit = z
  .object({
    ...stake,
    amount: amount('Amount paid, nanotons or units of `source_asset`.'),
    tokens_minted: amount('Pool jettons received.'),
    source_asset: account('Jetton paid; absent for TON.').optional(),
  })
  .meta({ id: 'StakeDepositDetails' })

const Withdrawal = z
  .object({
    ...stake,
    amount: amount('Nanotons received.'),
    payout_nft: account('Claim that was redeemed.'),
    tokens_burnt: amount('Pool jettons burnt.'),
  })
  .meta({ id: 'StakeWithdrawalDetails' })

const Request = z
  .object({
    ...stake,
    payout_nft: account('Claim on the later payout.'),
    tokens_burnt: amount('Pool jettons burnt.'),
    tokens_minted: Digits.optional().describe('Jettons received for the claim.'),
  })
  .meta({ id: 'StakeWithdrawalRequestDetails' })

export const staking = { stake_deposit: Deposit, stake_withdrawal: Withdrawal, stake_withdrawal_request: Request }
