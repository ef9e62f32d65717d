import { z } from 'zod'
import { Digits } from '../values.ts'
import { accountField, amountField, usualFields } from './fields.ts'

const stake = {
  provider: z.enum(['liquid_staking', 'nominator', 'ethena', 'hipo']).describe('Kind of pool.'),
  stake_holder: accountField('Owner of the stake.'),
  pool: usualFields.pool,
  asset: accountField('Jetton of the pool; null for a pool without one.'),
}

const Deposit = z
  .object({
    ...stake,
    amount: amountField('Amount paid, nanotons or units of `source_asset`.'),
    tokens_minted: amountField('Pool jettons received.'),
    source_asset: accountField('Jetton paid; absent for TON.').optional(),
  })
  .meta({ id: 'StakeDepositDetails' })

const Withdrawal = z
  .object({
    ...stake,
    amount: amountField('Nanotons received.'),
    payout_nft: accountField('Claim that was redeemed.'),
    tokens_burnt: amountField('Pool jettons burnt.'),
  })
  .meta({ id: 'StakeWithdrawalDetails' })

const Request = z
  .object({
    ...stake,
    payout_nft: accountField('Claim on the later payout.'),
    tokens_burnt: amountField('Pool jettons burnt.'),
    tokens_minted: Digits.optional().describe('Jettons received for the claim.'),
  })
  .meta({ id: 'StakeWithdrawalRequestDetails' })

export const stakingDetails = {
  stake_deposit: Deposit,
  stake_withdrawal: Withdrawal,
  stake_withdrawal_request: Request,
}
