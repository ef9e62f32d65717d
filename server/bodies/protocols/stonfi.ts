// STON.fi, versions 1 and 2, and its proxy of TON, which other exchanges use as well.

import { body, part } from '../bodyDefinition.ts'

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
  payTo: body('stonfi_payment_request#f93bb43f query_id:uint64 owner:MsgAddress exit_code:uint32'),
  /** Exit codes of payments. */
  swapOk: body('stonfi_swap_ok_forward_payload#c64370e5'),
  swapOkReferral: body('stonfi_swap_ok_ref_forward_payload#45078540'),
} as const

export const stonfiV2 = {
  swap: body('stonfi_swap_v2#6664de2a query_id:uint64 from_user:MsgAddress amount0:Coins amount1:Coins payload:^Cell'),
  /** To the router: the payments to make. */
  payTo: body(
    'stonfi_pay_to_v2#657b54f5 query_id:uint64 to_address:MsgAddress excesses_address:MsgAddress original_caller:MsgAddress exit_code:uint32 custom_payload:(Maybe ^Cell) additional_info:^[forward_ton_amount:Coins amount0:Coins wallet0:MsgAddress amount1:Coins wallet1:MsgAddress]',
  ),
  provide: body('stonfi_provide_lp_v2#37c096df query_id:uint64 from_user:MsgAddress amount0:Coins amount1:Coins'),
  addToAccount: body('_#50c6a654'),
  addToPool: body('_#06ecd527'),
  burnNotification: body('_#297437cf'),
  refundMe: body('_#132b9a2c'),
  refund: body('_#0f98e2b8'),
} as const

/** What a request to a router says, of this exchange and of TONCO: it names the router's wallet of the other asset. */
export const routerRequest = part('_ operation:uint32 token_wallet:MsgAddress')
