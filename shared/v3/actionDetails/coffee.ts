import { z } from 'zod'
import { accountField, amountField, usualFields } from './fields.ts'
import { NoDetails } from './transfers.ts'

const source = usualFields.sender
const source_jetton_wallet = accountField('Jetton wallet of the sender; null for TON.')
const asset = usualFields.jettonOrTon
const asset_1 = accountField('First jetton; null for TON.')
const asset_2 = accountField('Second jetton; null for TON.')
const value = usualFields.amount
const pool = usualFields.pool
const pool_jetton_wallet = accountField('Jetton wallet of the pool.')
const provided_asset = accountField('Jetton paid; null for TON.')
const pool_creator_contract = accountField('Contract that creates the pool.')

const CreateVault = z
  .object({ source, vault: accountField('New vault.'), asset, value: amountField('Nanotons sent along.') })
  .meta({ id: 'CoffeeCreateVaultDetails' })

const CreatePoolCreator = z
  .object({
    source,
    source_jetton_wallet,
    deposit_recipient: accountField('Receiver of the pool jettons.'),
    pool_creator_contract,
    provided_asset,
    asset_1,
    asset_2,
    amount: value,
  })
  .meta({ id: 'CoffeeCreatePoolCreatorDetails' })

const CreatePool = z
  .object({
    source,
    source_jetton_wallet,
    initiator_1: accountField('Provider of the first asset.'),
    initiator_2: accountField('Provider of the second asset.'),
    pool,
    pool_creator_contract,
    provided_asset,
    amount: value,
    asset_1,
    asset_2,
    amount_1: amountField('Amount of the first asset.'),
    amount_2: amountField('Amount of the second asset.'),
    lp_tokens_minted: amountField('Pool jettons received.'),
  })
  .meta({ id: 'CoffeeCreatePoolDetails' })

const HoldFunds = z
  .object({
    source,
    source_jetton_wallet,
    mev_contract: accountField('Contract that holds the funds.'),
    mev_contract_jetton_wallet: accountField('Jetton wallet of that contract.'),
    asset,
    amount: value,
  })
  .meta({ id: 'CoffeeHoldFundsDetails' })

const stake = { source, source_jetton_wallet, pool, pool_jetton_wallet, asset, amount: value }

const Stake = z
  .object({
    ...stake,
    minted_item_address: accountField('NFT of the stake.'),
    minted_item_index: amountField('Index of that NFT.'),
  })
  .meta({ id: 'CoffeeStakingDepositDetails' })

const Unstake = z
  .object({
    ...stake,
    nft_address: accountField('NFT of the stake.'),
    nft_index: amountField('Index of that NFT.'),
    points: amountField('Points given up.'),
  })
  .meta({ id: 'CoffeeStakingWithdrawDetails' })

const ClaimRewards = z
  .object({
    pool,
    pool_jetton_wallet,
    recipient: usualFields.recipient,
    recipient_jetton_wallet: usualFields.recipientWallet,
    asset,
    amount: value,
  })
  .meta({ id: 'CoffeeStakingClaimRewardsDetails' })

export const coffeeDetails = {
  coffee_create_vault: CreateVault,
  coffee_create_pool_creator: CreatePoolCreator,
  coffee_create_pool: CreatePool,
  coffee_mev_protect_hold_funds: HoldFunds,
  coffee_mev_protect_failed_swap: NoDetails,
  coffee_staking_deposit: Stake,
  coffee_staking_withdraw: Unstake,
  coffee_staking_claim_rewards: ClaimRewards,
}
