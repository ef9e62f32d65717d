// swap.coffee: exchange, protection of swaps, stakes.

import { body } from '../bodyDefinition.ts'

export const coffee = {
  swap: body('coffee_swap#c0ffee00 query_id:uint64 amount:Coins'),
  swapExtra: body('_#c0ffee01'),
  /** The payload of a transfer of jettons. */
  jettonSwap: body('coffee_swap_forward_payload#c0ffee10'),
  swapInternal: body('coffee_swap_internal#c0ffee20'),
  swapLog: body('coffee_swap_succeeded#c0ffee30 query_id:uint64 asset_in:CoffeeAsset amount_in:Coins amount_out:Coins'),
  swapFailedLog: body('coffee_swap_failed#c0ffee31'),
  /** From a pool to the vault that is to pay. */
  payoutOrder: body('coffee_payout_internal#c0ffee21 query_id:uint64 recipient:MsgAddress amount:Coins'),
  payout: body('_#c0ffee32'),
  notification: body('_#c0ffee36'),
  /** The log that a contract may write when it gets a notification. */
  notifiedLog: body('_#b216d31f'),
  /** From the factory to what it brings to life. */
  deploy: body('_#c0ffee22'),
  createVault: body('_#c0ffee06 query_id:uint64 asset:CoffeeAsset'),
  deposit: body('_#c0ffee04 query_id:uint64 amount:Coins terms:^Cell pool:^[asset1:CoffeeAsset asset2:CoffeeAsset]'),
  /** The payload of a transfer of jettons. */
  jettonDeposit: body('_#c0ffee12 terms:^Cell pool:^[asset1:CoffeeAsset asset2:CoffeeAsset]'),
  /** The vault puts the assets in order. */
  depositAskFactory: body(
    '_#c0ffee27 query_id:uint64 amount:Coins terms:^Cell pool:^[asset1:CoffeeAsset asset2:CoffeeAsset]',
  ),
  depositBoth: body('_#c0ffee29'),
  depositLog: body('_#c0ffee33 query_id:uint64 amount1:Coins amount2:Coins lp_minted:Coins'),
  depositFailedLog: body('_#c0ffee34'),
  withdrawalLog: body('_#c0ffee35 query_id:uint64 amount1:Coins amount2:Coins lp_burnt:Coins'),
  createPool: body(
    '_#c0ffee02 query_id:uint64 amount:Coins asset1:CoffeeAsset asset2:CoffeeAsset kind:uint3 settings:(Maybe ^Cell) recipient:MsgAddress',
  ),
  /** The payload of a transfer of jettons. */
  jettonCreatePool: body(
    '_#c0ffee11 asset1:CoffeeAsset asset2:CoffeeAsset kind:uint3 settings:(Maybe ^Cell) recipient:MsgAddress',
  ),
  /** The vault puts the assets in order: amounts of both sides are in this one. */
  poolAskFactory: body('_#c0ffee23 query_id:uint64 amount:Coins asset1:CoffeeAsset'),
  poolBothSides: body('_#c0ffee25 query_id:uint64 amount1:Coins amount2:Coins initiator:MsgAddress'),
  hold: body('_#6bc79e7e'),
  holdFee: body('_#c0ffeea0'),
  heldSwapFailed: body('_#ee51ce51'),
} as const

/** Each name is that of a message and of the log or message that follows it. */
export const coffeeStaking = {
  deposit: body('_#f9471134 query_id:uint64 item_index:uint64'),
  initialize: body('_#be5a7595'),
  /** From the item to the master. */
  withdraw: body('_#cb03bfaf query_id:uint64 item_index:uint64 owner:MsgAddress points:Coins'),
  claim: body('_#b30c7310'),
} as const
