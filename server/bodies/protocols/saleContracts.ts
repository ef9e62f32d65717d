// The data that the contracts of Getgems are deployed with, by their versions.

import { part } from '../bodyDefinition.ts'

export const saleData = {
  v1: part(
    '_ marketplace:MsgAddress nft:MsgAddress owner:MsgAddress full_price:Coins fees:^[marketplace_fee:Coins fee_address:MsgAddress royalty_address:MsgAddress royalty:Coins]',
  ),
  v3: part(
    '_ is_complete:Bool created_at:uint32 marketplace:MsgAddress nft:MsgAddress owner:MsgAddress full_price:Coins fees:^[fee_address:MsgAddress marketplace_fee:Coins royalty_address:MsgAddress royalty:Coins]',
  ),
  /** Its fees are parts of the price. */
  v4: part(
    '_ is_complete:Bool marketplace:MsgAddress owner:MsgAddress full_price:Coins _:uint32 _:uint64 fees:^[fee_address:MsgAddress royalty_address:MsgAddress]',
  ),
} as const

export const auctionData = {
  v1: part(
    '_ fees:^[fee_address:MsgAddress fee_factor:uint32 fee_base:uint32 royalty_address:MsgAddress _:uint32 royalty_base:uint32] bids:^[min_bid:Coins max_bid:Coins]',
  ),
  v3r2: part(
    '_ flags:uint3 last_member:MsgAddress last_bid:Coins last_bid_at:uint32 end_time:uint32 fees:^[fee_address:MsgAddress fee_factor:uint32 fee_base:uint32 royalty_address:MsgAddress _:uint32 royalty_base:uint32] bids:^[_:uint32 _:MsgAddress min_bid:Coins max_bid:Coins]',
  ),
  v3r3: part(
    '_ flags:uint2 last_member:MsgAddress last_bid:Coins last_bid_at:uint32 end_time:uint32 nft:MsgAddress last_query:uint64 fee_factor:uint32 fee_base:uint32 _:uint32 royalty_base:uint32 fees:^[fee_address:MsgAddress royalty_address:MsgAddress] bids:^[_:MsgAddress min_bid:Coins max_bid:Coins]',
  ),
  v4: part(
    '_ flags:uint2 last_member:MsgAddress last_bid:Coins last_bid_at:uint32 end_time:uint32 nft:MsgAddress last_query:uint64 fees:^[fee_address:MsgAddress royalty_address:MsgAddress fee_factor:uint32 fee_base:uint32 _:uint32 royalty_base:uint32] bids:^[_:MsgAddress min_bid:Coins max_bid:Coins]',
  ),
} as const
