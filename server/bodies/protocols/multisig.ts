// The multisig wallet, version 2.

import { body } from '../bodyDefinition.ts'

export const multisig = {
  newOrder: body(
    'mulisig_new_order#f718510f query_id:uint64 order_seqno:uint256 signer:Bool index:uint8 expiration_date:uint48 order:^Cell',
  ),
  orderInit: body(
    'multisig_order_init#9c73fba2 query_id:uint64 threshold:uint8 signers:^(Hashmap 8 MsgAddressInt) expiration_date:uint48 order:^Cell signer_index:(Maybe uint8)',
  ),
  approve: body('multisig_approve#a762230f query_id:uint64 signer_index:uint8'),
  approveAccepted: body('multisig_approve_accepted#82609bf6 query_id:uint64'),
  approveRejected: body('multisig_approve_rejected#afaf283e query_id:uint64 exit_code:uint32'),
  execute: body(
    'multisig_execute#75097f5d query_id:uint64 order_seqno:uint256 expiration_date:uint48 approvals_num:uint8 signers_hash:bits256 order:^Cell',
  ),
  executeInternal: body('multisig_execute_internal#a32c59bf query_id:uint64 order:^Cell'),
} as const

/** What an order does, each under its index. */
export const multisigActions = {
  sendMessage: body('_#f1381e5b mode:uint8 message:^Cell'),
  updateParams: body('_#1d0cfbd3 threshold:uint8 signers:^Cell proposers:(HashmapE 8 MsgAddressInt)'),
} as const
