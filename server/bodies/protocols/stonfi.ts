// STON.fi, versions 1 and 2, and its proxy of TON, which other exchanges use as well.

import { body } from '../body.ts'

export const stonfi = {
  /** TON with a payload, to a wallet of the proxy or out of it. */
  tonTransfer: body(
    'pton_ton_transfer#01f3835d query_id:uint64 ton_amount:Coins refund_address:MsgAddress forward_payload:(Either Cell ^Cell)',
    { lenient: true },
  ),
  /** To the pool. */
  swap: body('stonfi_swap#25938561'),
  /** The payload of a transfer to the router, which names its wallet of what is wanted. */
  swapPayload: body(
    'stonfi_swap#25938561 token_wallet:MsgAddress min_out:Coins to_address:MsgAddress referral_address:(Maybe MsgAddress)',
  ),
  swapV2: body('stonfi_swap_v2#6664de2a'),
} as const
