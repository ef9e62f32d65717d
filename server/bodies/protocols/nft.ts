// Items and collections (TEP-62, TEP-66), soulbound ones too (TEP-85).

import { body } from '../bodyDefinition.ts'

export const nft = {
  transfer: body(
    'nft_transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell) forward_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)',
    { lenient: true },
  ),
  ownershipAssigned: body(
    'nft_ownership_assigned#05138d91 query_id:uint64 prev_owner:MsgAddress forward_payload:(Either Cell ^Cell)',
    { lenient: true },
  ),
  getStaticData: body('get_static_data#2fcb26a2 query_id:uint64'),
  reportStaticData: body('report_static_data#8b771735 query_id:uint64 index:uint256 collection:MsgAddress'),
  getRoyaltyParams: body('get_royalty_params#693d3950 query_id:uint64'),
  reportRoyaltyParams: body(
    'report_royalty_params#a8cb00ad query_id:uint64 numerator:uint16 denominator:uint16 destination:MsgAddress',
  ),
  proveOwnership: body(
    'prove_ownership#04ded148 query_id:uint64 dest:MsgAddress forward_payload:^Cell with_content:Bool',
  ),
  ownershipProof: body(
    'ownership_proof#0524c7ae query_id:uint64 item_id:uint256 owner:MsgAddress data:^Cell revoked_at:uint64 content:(Maybe ^Cell)',
  ),
  requestOwner: body(
    'sbt_request_owner#d0c3bfea query_id:uint64 dest:MsgAddress forward_payload:^Cell with_content:Bool',
  ),
  ownerInfo: body(
    'sbt_owner_info#0dd607e3 query_id:uint64 item_id:uint256 initiator:MsgAddress owner:MsgAddress data:^Cell revoked_at:uint64 content:(Maybe ^Cell)',
  ),
  destroy: body('sbt_destroy#1f04537a query_id:uint64'),
  revoke: body('sbt_revoke#6f89f5e3 query_id:uint64'),
  // What the standard leaves to collections, as the public ones do it.
  mint: body('_#00000001 query_id:uint64 index:uint64 value:Coins item:^Cell'),
  mintBatch: body('_#00000002 query_id:uint64 items:^Cell'),
  changeOwner: body('_#00000003 query_id:uint64 owner:MsgAddress'),
  editContent: body('_#1a0b9d51 query_id:uint64 content:^Cell'),
  changeContent: body('_#00000004 query_id:uint64 contents:^Cell royalty:^Cell'),
  takeExcess: body('_#d136d3b3 query_id:uint64'),
} as const
