// Sales and auctions: of marketplaces, and those that names and numbers of Telegram hold themselves.

import { body } from '../body.ts'

export const sales = {
  update: body(
    'sale_update_message#6c6c2080 query_id:uint64 new_full_price:Coins new_mp_fee:Coins new_royalty_amount:Coins',
  ),
  bidInfo: body('teleitem_bid_info#38127de1 bid:Grams bid_ts:uint32'),
  teleitemOk: body('teleitem_ok#a37a0983 query_id:int64'),
  returnBid: body('teleitem_return_bid#a43227e1 query_id:int64'),
  startAuction: body(
    'teleitem_msg_start_auction#487a8e81 query_id:int64 auction_config:^[beneficiary_address:MsgAddressInt initial_min_bid:Grams max_bid:Grams min_bid_step:uint8 min_extend_time:uint32 duration:uint32]',
  ),
  cancelAuction: body('teleitem_msg_cancel_auction#371638ae query_id:int64'),
  mintItem: body('_#299a3e15'),
} as const
