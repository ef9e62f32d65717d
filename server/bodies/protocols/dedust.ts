// DeDust, versions 1 and 2.

import { body, part } from '../bodyDefinition.ts'

export const dedust = {
  /** To the vault of TON. */
  swap: body('dedust_swap#ea06185d query_id:uint64 amount:Coins step:Any'),
  /** To the vault of a jetton, as the payload of a transfer. */
  jettonSwap: body('dedust_swap#e3a0d482 step:Any'),
  swapExternal: body('dedust_swap_external#61ee542d'),
  swapPeer: body('dedust_swap_peer#72aca8aa'),
  swapLog: body(
    'dedust_swap_notification#9c610de3 asset_in:DedustAsset asset_out:DedustAsset amount_in:Coins amount_out:Coins',
  ),
  /** From a pool to the vault that is to pay. */
  payoutFromPool: body(
    'dedust_pay_out_from_pool#ad4eb6f5 query_id:uint64 proof:^Cell amount:Coins recipient:MsgAddress',
  ),
  /** From the vault of TON to the recipient. */
  payout: body('dedust_payout#474f86cf'),
  deposit: body(
    'dedust_deposit_liquidity#d55e4686 query_id:uint64 amount:Coins is_stable:Bool asset1:DedustAsset asset2:DedustAsset targets:^[min_lp_amount:Coins amount1:Coins amount2:Coins]',
  ),
  jettonDeposit: body(
    'dedust_deposit_liquidity#40e108d6 is_stable:Bool asset1:DedustAsset asset2:DedustAsset min_lp_amount:Coins amount1:Coins amount2:Coins',
  ),
  depositAll: body(
    'dedust_deposit_liquidity_all#b56b9598 query_id:uint64 proof:^Cell sides:^[asset1:DedustAsset amount1:Coins asset2:DedustAsset amount2:Coins]',
  ),
  askFactory: body('_#f04ec526'),
  deployCollector: body('_#9b3aa3fa'),
  topUpCollector: body('_#54240fe5'),
  destroyCollector: body('_#aae79256'),
  depositLog: body('_#b544f4a4'),
  withdrawalLog: body('_#3aa870a6'),
  reject: body('_#e1a36cd4'),
  excessToVault: body('_#6b0b787f'),
} as const

/** A pool on the way of a swap, and where to go from there. */
export const dedustStep = part('_ pool:MsgAddress kind:uint1 limit:Coins next:(Maybe ^Cell)')

export const dedustV2 = {
  payNative: body('_#a5a7cbf8 query_id:uint64 amount:Coins purpose:^Cell'),
  payJetton: body('_#cbc33949 purpose:^Cell'),
  /** Purpose of a payment: a swap. */
  swapPurpose: body('_#c442500f minimal_amount:Coins deadline:uint40 next:(Maybe ^Cell)'),
  /** Purpose of a payment: one asset of a deposit. */
  depositPurpose: body('_#c9a015da amount1:Coins amount2:Coins'),
  /** Behind which of both assets goes in. */
  swapLog: body('_#78e79ba4 is_second:Bool amount_in:Coins amount_out:Coins'),
  /** TON, or the payload of the jettons that are paid. */
  payout: body('_#3216ca09 query_id:uint64 amount:Coins exit_code:int32'),
  /** From the pool to the contract that collects both assets of a deposit. */
  creditAsset: body('_#dc5ddba1 query_id:uint64 is_first:Bool amount:Coins'),
  /** From the collector to the pool, with both amounts. */
  joinLiquidity: body('_#25251ee0 query_id:uint64 config:^Cell amount1:Coins amount2:Coins initiator:MsgAddress'),
  depositLog: body('_#35df2e12 amount1:Coins amount2:Coins liquidity:Coins'),
  /** From the pool to the depositor's position contract. */
  creditLiquidity: body('_#855afcbd query_id:uint64 liquidity:Coins'),
  withdraw: body(
    '_#20b5ef89 query_id:uint64 liquidity:Coins minimal_amount1:Coins minimal_amount2:Coins claims_fees:Bool',
  ),
  withdrawLiquidity: body('_#bc1531a9'),
  exitLiquidity: body('_#f6f6a3aa'),
  withdrawalLog: body('_#c0d77b54 liquidity:Coins amount1:Coins amount2:Coins'),
  claimFees: body('_#5652f1df'),
  availableFees: body('_#25f19752'),
  payoutFees: body('_#29ff1bcf query_id:uint64 amount1:Coins amount2:Coins'),
  claimReward: body('_#909fdb65'),
  availableReward: body('_#2e0cccba'),
  payoutReward: body('_#9e17fbbe query_id:uint64 amount:Coins'),
} as const

/** A further pool of a swap on version 2, with the minimum amount it has to pay. */
export const dedustStepV2 = part('_ pool:MsgAddress minimal_amount:Coins deadline:uint40 next:(Maybe ^Cell)')
