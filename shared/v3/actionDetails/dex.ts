// Exchanges: swaps and liquidity. Null as an asset is TON.

import { z } from 'zod'
import { account, amount } from './fields.ts'

const dex = z.string().describe('Exchange, such as `dedust`.')

const SwapTransfer = z
  .object({
    asset: account('Jetton; null for TON.'),
    source: account('Account that sends.'),
    destination: account('Account that receives.'),
    source_jetton_wallet: account('Jetton wallet of the sender; null for TON.'),
    destination_jetton_wallet: account('Jetton wallet of the recipient; null for TON.'),
    amount: amount('Amount in the smallest units.'),
  })
  .meta({ id: 'SwapTransfer' })

const PeerSwap = z
  .object({
    asset_in: account('Jetton paid; null for TON.'),
    amount_in: amount('Amount paid.'),
    asset_out: account('Jetton received; null for TON.'),
    amount_out: amount('Amount received.'),
  })
  .meta({ id: 'PeerSwap' })

const Swap = z
  .object({
    dex,
    sender: account('Trader.'),
    asset_in: account('Jetton paid; null for TON.'),
    asset_out: account('Jetton wanted; null for TON.'),
    dex_incoming_transfer: SwapTransfer.describe('Transfer to the exchange.'),
    dex_outgoing_transfer: SwapTransfer.describe('Transfer from the exchange.'),
    peer_swaps: z.array(PeerSwap).describe('Swaps of a route over several pools.'),
    min_out_amount: amount('Smallest amount accepted; only of some exchanges.').optional(),
  })
  .meta({ id: 'JettonSwapDetails' })

const pair = {
  dex,
  amount_1: amount('Amount of the first asset.'),
  amount_2: amount('Amount of the second asset.'),
  asset_1: account('First jetton; null for TON.'),
  asset_2: account('Second jetton; null for TON.'),
  user_jetton_wallet_1: account('Wallet of the provider for the first jetton.'),
  user_jetton_wallet_2: account('Wallet of the provider for the second jetton.'),
  source: account('Liquidity provider.'),
  pool: account('Pool contract.'),
  destination_liquidity: account('Contract that holds the liquidity.'),
  tick_lower: amount('Lower bound of the price range.'),
  tick_upper: amount('Upper bound of the price range.'),
}

const Excess = z
  .object({ asset: account('Jetton; null for TON.'), amount: amount('Amount returned.') })
  .meta({ id: 'VaultExcess' })

const Deposit = z
  .object({
    ...pair,
    lp_tokens_minted: amount('Pool jettons received.'),
    target_asset_1: account('First jetton wanted; null for TON.'),
    target_asset_2: account('Second jetton wanted; null for TON.'),
    target_amount_1: amount('Amount wanted of the first asset.'),
    target_amount_2: amount('Amount wanted of the second asset.'),
    vault_excesses: z.array(Excess).describe('What was returned.'),
    nft_index: amount('Index of the position NFT.'),
    nft_address: account('Position NFT.'),
  })
  .meta({ id: 'DexDepositLiquidityDetails' })

const Withdrawal = z
  .object({
    ...pair,
    lp_tokens_burnt: amount('Pool jettons burnt.'),
    is_refund: z.boolean().nullable().describe('True for a refund; null when unknown.'),
    burnt_nft_index: amount('Index of the burnt position NFT.'),
    burnt_nft_address: account('Burnt position NFT.'),
  })
  .meta({ id: 'DexWithdrawLiquidityDetails' })

const ClaimReward = z
  .object({
    dex,
    source: account('Liquidity provider.'),
    user_jetton_wallet: account('Wallet that received the reward.'),
    pool: account('Pool contract.'),
    asset: account('Jetton; null for TON.'),
    amount: amount('Reward in the smallest units.'),
  })
  .meta({ id: 'DedustClaimRewardDetails' })

const DeployPool = z
  .object({
    source: account('Creator.'),
    pool: account('New pool.'),
    router: account('Router of the exchange.'),
    router_jetton_wallet_1: account('Wallet of the router for the first jetton.'),
    router_jetton_wallet_2: account('Wallet of the router for the second jetton.'),
    jetton_minter_1: account('First jetton.'),
    jetton_minter_2: account('Second jetton.'),
    tick_spacing: amount('Distance of price ticks.'),
    initial_price_x96: amount('Square root of the price, times 2^96.'),
    protocol_fee: amount('Fee of the exchange.'),
    lp_fee_base: amount('Base fee of the providers.'),
    lp_fee_current: amount('Current fee of the providers.'),
    pool_active: z.boolean().nullable().describe('True when the pool trades.'),
  })
  .meta({ id: 'ToncoDeployPoolDetails' })

export const exchanges = {
  jetton_swap: Swap,
  dex_deposit_liquidity: Deposit,
  dex_withdraw_liquidity: Withdrawal,
  dedust_v2_claim_fees: Withdrawal,
  dedust_v2_claim_reward: ClaimReward,
  tonco_deploy_pool: DeployPool,
}
