// Pools of liquid staking, whose jetton stands for a share.

import { body } from '../bodyDefinition.ts'

export const liquidStaking = {
  deposit: body('tonstake_pool_deposit#47d54391 query_id:uint64'),
  withdraw: body(
    'tonstake_pool_withdraw#319b0cdc query_id:uint64 jetton_amount:Coins from_address:MsgAddress response_address:MsgAddress',
  ),
  withdrawal: body('tonstake_pool_withdrawal#0a77535c query_id:uint64'),
  payoutMint: body(
    'tonstake_payout_mint_jettons#1674b0a0 query_id:uint64 destination:MsgAddress amount:Coins rest:Any',
  ),
  nftInit: body('tonstake_nft_init#132f9a45 query_id:uint64 owner:MsgAddress amount:Coins rest:Any'),
  nftBurn: body('tonstake_nft_burn#f127fe4e query_id:uint64'),
  nftBurnNotification: body(
    'tonstake_nft_burn_notification#ed58b0b2 query_id:uint64 amount:Coins owner:MsgAddress index:uint64',
  ),
  nftPayout: body('tonstake_nft_payout#db3b8abd query_id:uint64'),
  // From the pool to all of its bills, one behind another.
  distribution: body('_#1140a64f'),
} as const
