// TONCO.

import { body, part } from '../bodyDefinition.ts'

export const tonco = {
  swap: body(
    'tonco_pool_swap#a7fb58f8 query_id:uint64 sender:MsgAddress wallet:MsgAddress terms:^[amount_in:Coins price_limit:uint160 min_out:Coins]',
  ),
  /** To the router: the payments to make, and why; behind a withdrawal, what was burnt. */
  payTo: body(
    'tonco_router_pay_to_normal#a1daa96d query_id:uint64 receiver0:MsgAddress receiver1:MsgAddress exit_code:uint32 seqno:uint64 shares:(Maybe ^[amount0:Coins wallet0:MsgAddress amount1:Coins wallet1:MsgAddress]) burnt:(Maybe ^Cell)',
    { lenient: true },
  ),
  fund: body(
    'tonco_pool_fund_account#4468de77 query_id:uint64 user:MsgAddress amount0:Coins amount1:Coins enough0:Coins enough1:Coins liquidity:uint128 tick_lower:int24 tick_upper:int24',
  ),
  addLiquidity: body('_#3ebe5431'),
  /** From the account, what it has minted. */
  mintAndRefund: body('_#81702ef8 query_id:uint64 amount0:Coins amount1:Coins recipient:MsgAddress liquidity:uint128'),
  initPosition: body('_#d5ecca2a query_id:uint64 user:MsgAddress place:^[fee0:uint256 fee1:uint256 nft_index:uint64]'),
  startBurn: body(
    'tonco_pool_start_burn#530b5f2c query_id:uint64 nft_index:uint64 liquidity:uint128 tick_lower:int24 tick_upper:int24',
  ),
  burnItem: body('_#46ca335a'),
  burn: body('_#d73ac09d'),
  createPool: body(
    '_#2e3034ef query_id:uint64 wallet0:MsgAddress wallet1:MsgAddress tick_spacing:uint24 price:uint160 rest:Any',
  ),
  initPool: body('_#441c39ed'),
} as const

/** The third cell of the order for a pool. */
export const toncoMinters = part('_ minter0:MsgAddress minter1:MsgAddress')

/** The place in a pool that was burnt. */
export const toncoPlace = part('_ nft_index:uint64 liquidity:uint128 tick_lower:int24 tick_upper:int24')
