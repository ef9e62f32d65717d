// JVault, with which jettons are staked.

import { body, part } from '../bodyDefinition.ts'

export const jvault = {
  /** The payload of a transfer of jettons. */
  stake: body('_#e3a06989 period:uint32'),
  receive: body(
    '_#d68a4ac1 query_id:uint64 least:Coins most:Coins commission:uint16 unstake_fee:Coins whitelist:(HashmapE 267 Any) minted:Coins',
  ),
  cancel: body('_#9eada1d9'),
  setData: body('_#383411ea'),
  unstake: body('_#499a9262 query_id:uint64 amount:Coins'),
  unstakeRequest: body('_#0168d4b7 query_id:uint64 amount:Coins'),
  /** From a stake wallet to its pool: what to pay of the stake, and what to keep of it. */
  updateRequest: body(
    '_#f5c5baa3 query_id:uint64 owner:MsgAddress lock_period:uint32 balance:Coins change:int121 rewards:(HashmapE 267 Any) paid:Coins commission:Coins',
  ),
  updateRewards: body('_#ae9307ce'),
  requestReferrer: body('_#55c35b40'),
  updateReferrer: body('_#076ee4e0'),
  claim: body('_#78d9f109'),
  sendRewards: body('_#44bc1fe3'),
} as const

/** What a stake wallet, and a pool, keep. */
export const jvaultWalletData = part('_ pool:MsgAddress')
export const jvaultPoolData = part(
  '_ is_inited:Bool pool_id:uint32 factory:MsgAddress owner:MsgAddress stakes_wallet:MsgAddress',
)
