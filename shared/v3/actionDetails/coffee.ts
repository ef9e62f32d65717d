import { z } from 'zod'
import { account, amount } from './fields.ts'
import { Empty } from './transfers.ts'

const source = account('Account that sends.')
const source_jetton_wallet = account('Jetton wallet of the sender; null for TON.')
const asset = account('Jetton; null for TON.')
const asset_1 = account('First jetton; null for TON.')
const asset_2 = account('Second jetton; null for TON.')
const value = amount('Amount in the smallest units.')
const pool = account('Pool contract.')
const pool_jetton_wallet = account('Jetton wallet of the pool.')
const provided_asset = account('Jetton paid; null for TON.')
const pool_creator_contract = account('Contract that creates the pool.')

const CreateVault = z
  .object({ source, vault: account('New vault.'), asset, value: amount('Nanotons sent along.') })
  .meta({ id: 'CoffeeCreateVaultDetails' })

const CreatePoolCreator = z
  .object({
    source,
    source_jetton_wallet,
    deposit_recipient: account('Receiver of the pool jettons.'),
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
    initiator_1: account('Provider of the first asset.'),
    initiator_2: account('Provider of the second asset.'),
    pool,
    pool_creator_contract,
    provided_asset,
    amount: value,
    asset_1,
    asset_2,
    amount_1: amount('Amount of the first asset.'),
    amount_2: amount('Amount of the second asset.'),
    lp_tokens_minted: amount('Pool jettons received.'),
  })
  .meta({ id: 'CoffeeCreatePoolDetails' })

const HoldFunds = z
  .object({
    source,
    source_jetton_wallet,
    mev_contract: account('Contract that holds the funds.'),
    mev_contract_jetton_wallet: account('Jetton wallet of that contract.'),
    asset,
    amount: value,
  })
  .meta({ id: 'CoffeeHoldFundsDetails' })

const stake = { source, source_jetton_wallet, pool, pool_jetton_wallet, asset, amount: value }

const Stake = z
  .object({
    ...stake,
    minted_item_address: account('NFT of the stake.'),
    minted_item_index: amount('Index of that NFT.'),
  })
  .meta({ id: 'CoffeeStakingDepositDetails' })

const Unstake = z
  .object({
    ...stake,
    nft_address: account('NFT of the stake.'),
    nft_index: amount('Index of that NFT.'),
    points: amount('Points given up.'),
  })
  .meta({ id: 'CoffeeStakingWithdrawDetails' })

const ClaimRewards = z
  .object({
    pool,
    pool_jetton_wallet,
    recipient: account('Account that receives.'),
    recipient_jetton_wallet: account('Jetton wallet of the recipient.'),
    asset,
    amount: value,
  })
  .meta({ id: 'CoffeeStakingClaimRewardsDetails' })

export const coffee = {
  coffee_create_vault: CreateVault,
  coffee_create_pool_creator: CreatePoolCreator,
  coffee_create_pool: CreatePool,
  coffee_mev_protect_hold_funds: HoldFunds,
  coffee_mev_protect_failed_swap: Empty,
  coffee_staking_deposit: Stake,
  coffee_staking_withdraw: Unstake,
  coffee_staking_claim_rewards: ClaimRewards,
}
