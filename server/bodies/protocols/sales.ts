// Sales and auctions: of marketplaces, and those that names and numbers of Telegram hold themselves.

import { body, part } from '../bodyDefinition.ts'

export const sales = {
  update: body(
    'sale_update_message#6c6c2080 query_id:uint64 new_full_price:Coins new_mp_fee:Coins new_royalty_amount:Coins',
  ),
  bidInfo: body('teleitem_bid_info#38127de1 bid:Grams bid_ts:uint32'),
  teleitemOk: body('teleitem_ok#a37a0983 query_id:int64'),
  returnBid: body('teleitem_return_bid#a43227e1 query_id:int64'),
  startNameAuction: body(
    'teleitem_msg_start_auction#487a8e81 query_id:int64 auction_config:^[beneficiary_address:MsgAddressInt initial_min_bid:Grams max_bid:Grams min_bid_step:uint8 min_extend_time:uint32 duration:uint32]',
  ),
  cancelNameAuction: body('teleitem_msg_cancel_auction#371638ae query_id:int64'),
  mintItem: body('_#299a3e15'),
  acceptCoins: body('_#00000001 query_id:uint64'),
  cancel: body('_#00000003 query_id:uint64'),
  cancelAuction: body('_#5616c572 query_id:uint64'),
  finish: body('_#20c9eb18 query_id:uint64'),
  finishOlder: body('_#b95616b6'),
} as const

/** As a name holds the terms of its auction. */
export const nameAuctionConfig = part(
  '_ beneficiary_address:MsgAddressInt initial_min_bid:Grams max_bid:Grams min_bid_step:uint8 min_extend_time:uint32 duration:uint32',
)
