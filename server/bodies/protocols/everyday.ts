// Comments, excesses, and messages of wallet plugins.

import { body } from '../bodyDefinition.ts'

export const everyday = {
  comment: body('text_comment#00000000 text:SnakeString'),
  encryptedComment: body('encrypted_text_comment#2167da4b cipher_text:Bytes'),
  bounce: body('bounce#ffffffff payload:Cell'),
  /** What comes back of a message whose `extra_flags` have 1 set. The elector begins an answer with the same 32 bits. */
  newBounce: body(
    'new_bounce_body#fffffffe original_body:^Cell original_info:^[value:CurrencyCollection created_lt:uint64 created_at:uint32] bounced_by_phase:uint8 exit_code:int32 compute_phase:(Maybe [gas_used:uint32 vm_steps:uint32])',
  ),
  excess: body('excess#d53276db query_id:uint64'),
  topUp: body('top_up#d372158c query_id:uint64'),
  invoice: body('invoice_payload#7aa23eb5 id:bits128 url:SnakeString'),
  pluginInstalled: body('wallet_plugin_installation_notification#6e6f7465 query_id:uint64'),
  pluginDestruct: body('wallet_plugin_destruct#64737472 query_id:uint64'),
  pluginDestructResponse: body('wallet_plugin_destruct_response#e4737472 query_id:uint64'),
  paymentRequest: body('payment_request#706c7567 query_id:uint64 amount:CurrencyCollection'),
  paymentConfirmed: body('payment_confirmed#f06c7567 query_id:uint64'),
  subscriptionPayment: body('subscription_payment#73756273 rest:Any'),
} as const
