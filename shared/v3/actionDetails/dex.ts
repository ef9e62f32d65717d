// Exchanges: swaps and liquidity. Null as an asset is TON.

import { z } from 'zod'
import { accountField, amountField, usualFields } from './fields.ts'

const dex = z.string().describe('Exchange, such as `dedust`.')

const SwapTransfer = z
  .object({
    asset: usualFields.jettonOrTon,
    source: usualFields.sender,
    destination: usualFields.recipient,
    source_jetton_wallet: accountField('Jetton wallet of the sender; null for TON.'),
    destination_jetton_wallet: accountField('Jetton wallet of the recipient; null for TON.'),
    amount: usualFields.amount,
  })
  .meta({ id: 'SwapTransfer' })

const PeerSwap = z
  .object({
    asset_in: accountField('Jetton paid; null for TON.'),
    amount_in: amountField('Amount paid.'),
    asset_out: accountField('Jetton received; null for TON.'),
    amount_out: amountField('Amount received.'),
  })
  .meta({ id: 'PeerSwap' })

const Swap = z
  .object({
    dex,
    sender: accountField('Trader.'),
    asset_in: accountField('Jetton paid; null for TON.'),
    asset_out: accountField('Jetton wanted; null for TON.'),
    dex_incoming_transfer: SwapTransfer.describe('Transfer to the exchange.'),
    dex_outgoing_transfer: SwapTransfer.describe('Transfer from the exchange.'),
    peer_swaps: z.array(PeerSwap).describe('Swaps of a route over several pools.'),
    min_out_amount: amountField('Smallest amount accepted; only of some exchanges.').optional(),
  })
  .meta({ id: 'JettonSwapDetails' })

const pair = {
  dex,
  amount_1: amountField('Amount of the first asset.'),
  amount_2: amountField('Amount of the second asset.'),
  asset_1: accountField('First jetton; null for TON.'),
  asset_2: accountField('Second jetton; null for TON.'),
  user_jetton_wallet_1: accountField('Wallet of the provider for the first jetton.'),
  user_jetton_wallet_2: accountField('Wallet of the provider for the second jetton.'),
  source: accountField('Liquidity provider.'),
  pool: usualFields.pool,
  destination_liquidity: accountField('Contract that holds the liquidity.'),
  tick_lower: amountField('Lower bound of the price range.'),
  tick_upper: amountField('Upper bound of the price range.'),
}

const Excess = z
  .object({ asset: usualFields.jettonOrTon, amount: amountField('Amount returned.') })
  .meta({ id: 'VaultExcess' })

const Deposit = z
  .object({
    ...pair,
    lp_tokens_minted: amountField('Pool jettons received.'),
    target_asset_1: accountField('First jetton wanted; null for TON.'),
    target_asset_2: accountField('Second jetton wanted; null for TON.'),
    target_amount_1: amountField('Amount wanted of the first asset.'),
    target_amount_2: amountField('Amount wanted of the second asset.'),
    vault_excesses: z.array(Excess).describe('What was returned.'),
    nft_index: amountField('Index of the position NFT.'),
    nft_address: accountField('Position NFT.'),
  })
  .meta({ id: 'DexDepositLiquidityDetails' })

const Withdrawal = z
  .object({
    ...pair,
    lp_tokens_burnt: amountField('Pool jettons burnt.'),
    is_refund: z.boolean().nullable().describe('True for a refund; null when unknown.'),
    burnt_nft_index: amountField('Index of the burnt position NFT.'),
    burnt_nft_address: accountField('Burnt position NFT.'),
  })
  .meta({ id: 'DexWithdrawLiquidityDetails' })

const position = accountField('Contract of the position.')

const ClaimFees = Withdrawal.extend({
  position,
  dex_jetton_wallet_1: accountField('Wallet that paid the first jetton.'),
  dex_jetton_wallet_2: accountField('Wallet that paid the second jetton.'),
}).meta({ id: 'DedustClaimFeesDetails' })

const ClaimReward = z
  .object({
    dex,
    source: accountField('Liquidity provider.'),
    user_jetton_wallet: accountField('Wallet that received the reward.'),
    dex_jetton_wallet: accountField('Wallet that paid it.'),
    pool: usualFields.pool,
    position,
    asset: usualFields.jettonOrTon,
    amount: amountField('Reward in the smallest units.'),
  })
  .meta({ id: 'DedustClaimRewardDetails' })

const DeployPool = z
  .object({
    source: accountField('Creator.'),
    pool: accountField('New pool.'),
    router: accountField('Router of the exchange.'),
    router_jetton_wallet_1: accountField('Wallet of the router for the first jetton.'),
    router_jetton_wallet_2: accountField('Wallet of the router for the second jetton.'),
    jetton_minter_1: accountField('First jetton.'),
    jetton_minter_2: accountField('Second jetton.'),
    tick_spacing: amountField('Distance of price ticks.'),
    initial_price_x96: amountField('Square root of the price, times 2^96.'),
    protocol_fee: amountField('Fee of the exchange.'),
    lp_fee_base: amountField('Base fee of the providers.'),
    lp_fee_current: amountField('Current fee of the providers.'),
    pool_active: z.boolean().nullable().describe('True when the pool trades.'),
  })
  .meta({ id: 'ToncoDeployPoolDetails' })

export const exchangeDetails = {
  jetton_swap: Swap,
  dex_deposit_liquidity: Deposit,
  dex_withdraw_liquidity: Withdrawal,
  dedust_v2_claim_fees: ClaimFees,
  dedust_v2_claim_reward: ClaimReward,
  tonco_deploy_pool: DeployPool,
}
