// Jettons (TEP-74, TEP-89), and what those with a governor add.

import { body } from '../bodyDefinition.ts'

export const jettons = {
  transfer: body(
    'jetton_transfer#0f8a7ea5 query_id:uint64 amount:(VarUInteger 16) destination:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell) forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)',
    { lenient: true },
  ),
  internalTransfer: body(
    'jetton_internal_transfer#178d4519 query_id:uint64 amount:(VarUInteger 16) from:MsgAddress response_address:MsgAddress forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)',
    { lenient: true, decodedAlso: 'anyLast' },
  ),
  notify: body(
    'jetton_notify#7362d09c query_id:uint64 amount:(VarUInteger 16) sender:MsgAddress forward_payload:(Either Cell ^Cell)',
    { lenient: true },
  ),
  burn: body(
    'jetton_burn#595f07bc query_id:uint64 amount:(VarUInteger 16) response_destination:MsgAddress custom_payload:(Maybe ^Cell)',
    { lenient: true },
  ),
  burnNotification: body(
    'jetton_burn_notification#7bdd97de query_id:uint64 amount:(VarUInteger 16) sender:MsgAddress response_destination:MsgAddress',
  ),
  mint: body('jetton_mint#642b7d07 query_id:uint64 to_address:MsgAddressInt ton_amount:Coins master_msg:^Cell', {
    lenient: true,
    decodedAlso: 'withoutLast',
  }),
  minterMint: body(
    'minter_jetton_mint#00000015 query_id:uint64 to_address:MsgAddress ton_amount:Coins master_msg:^Cell',
    { lenient: true },
  ),
  setStatus: body('jetton_set_status#eed236d3 query_id:uint64 status:uint4'),
  changeAdmin: body('jetton_change_admin#6501f354 query_id:uint64 new_admin_address:MsgAddress'),
  claimAdmin: body('jetton_claim_admin#fb88e119 query_id:uint64'),
  upgrade: body('jetton_upgrade#2508d66a query_id:uint64 new_data:^Cell new_code:^Cell'),
  changeMetadata: body('jetton_change_metadata#cb862902 query_id:uint64 metadata:Cell'),
  callTo: body('jetton_call_to#235caf52 query_id:uint64 to_address:MsgAddressInt ton_amount:Coins master_msg:^Cell'),
  provideWalletAddress: body(
    'jetton_provide_wallet_address#2c76b973 query_id:uint64 owner_address:MsgAddress include_address:Bool',
  ),
  takeWalletAddress: body(
    'jetton_take_wallet_address#d1735400 query_id:uint64 wallet_address:MsgAddress owner_address:(Maybe ^Cell)',
  ),
  // Older masters.
  setAdmin: body('_#00000003 query_id:uint64 admin:MsgAddress'),
  setContent: body('_#00000004 query_id:uint64 content:^Cell'),
  dropAdmin: body('_#7431f221 query_id:uint64'),
  closeMinting: body('_#61688dae query_id:uint64'),
  minterTopUp: body('_#00009fd3 query_id:uint64'),
  // From the wallet of Ethena's master, to one whose owner has to wait.
  lockedTransfer: body('_#b2583ed5 query_id:uint64 amount:(VarUInteger 16)'),
} as const
