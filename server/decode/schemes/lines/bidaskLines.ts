// Bidask, an exchange with ranges of prices.

export const bidaskLines = `
additional_data from_address:MsgAddress ref_address:MsgAddress = BidaskAdditionalData
_ first_bin:int32 liquidity_dict:(HashmapE 32 int32) current_bin:int32 remaining:Cell = BidaskDexPayload
farming_data distributed_x_amount:Coins distributed_y_amount:Coins = BidaskFarmingData
swap_additional previous_time:uint64 start_price:uint256 actual_fee:uint16 distributed_x_amount:Coins distributed_y_amount:Coins = BidaskSwapAdditionalData
bidask_swap#f2ef6c1b query_id:uint64 native_amount:Coins to_address:MsgAddress slippage:(Either Coins uint256) exact_out:Coins ref_address:MsgAddress additional_data:(Maybe ^Cell) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell)
bidask_swap_forward_payload#f2ef6c1b to_address:MsgAddress slippage:(Either Coins uint256) exact_out:Coins ref_address:MsgAddress additional_data:(Maybe ^Cell) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell)
bidask_provide#96feef7b query_id:uint64 deposit_type:uint4 liquidity_dict:(HashmapE 32 int32) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell)
bidask_provide_forward_payload#96feef7b deposit_type:uint4 liquidity_dict:(HashmapE 32 int32) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell)
bidask_swap_success#520e4831 query_id:uint64 new_current_bin:int32 new_sqrt_price:uint256 order:Bool amount_x:Coins amount_y:Coins is_x:Bool user_address:MsgAddress ref_cell:(Maybe ^Cell) additional_data:(Maybe ^Cell) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell)
bidask_swap_fallback_v2#1bba3896 query_id:uint64 first_range_bin:int32 order:Bool user_address:MsgAddress is_x:Bool amount_in:Coins distributed_x_amount:Coins distributed_y_amount:Coins additional_data:(Maybe ^BidaskAdditionalData) reject_payload:(Maybe ^Cell)
bidask_swap_fallback#1bba3896 query_id:uint64 first_range_bin:int32 order:Bool user_address:MsgAddress is_x:Bool amount_in:Coins additional_data:(Maybe ^Cell) reject_payload:(Maybe ^Cell)
bidask_provide_refund#02422cbe query_id:uint64 first_range_bin:int32 x_excess:Coins y_excess:Coins user_address:MsgAddress reject_payload:(Maybe ^Cell) order:Bool
bidask_burn_payout#42062d62 query_id:uint64 first_range_bin:int32 amount_x:Coins amount_y:Coins user_address:MsgAddress forward_payload:(Maybe ^Cell)
bidask_internal_swap#66210c65 query_id:uint64 to_address:MsgAddress order:Bool is_x:Bool amount_in:Coins amount_out:Coins exact_out:Coins slippage:(Either Coins uint256) ref_cell:(Maybe ^Cell) additional_data:(Maybe ^Cell) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell)
bidask_internal_continue_swap#59699475 query_id:uint64 to_address:MsgAddress order:Bool is_x:Bool amount_in:Coins amount_out:Coins exact_out:Coins slippage:(Either Coins uint256) ref_cell:(Maybe ^Cell) additional_data:(Maybe ^Cell) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell)
bidask_internal_provide#d1b02ea5 query_id:uint64 ref_1:(Maybe ^Cell) ref_2:(Maybe ^Cell) ref_3:(Maybe ^Cell) amount_x:Coins amount_y:Coins to_address:MsgAddress dex_payload:^BidaskDexPayload
bidask_internal_provide#d1b02ea5 query_id:uint64 ref_1:(Maybe ^Cell) ref_2:(Maybe ^Cell) ref_3:(Maybe ^Cell) amount_x:Coins amount_y:Coins to_address:MsgAddress dex_payload:Any
bidask_internal_continue_provide#0c09445a query_id:uint64 amount_x:Coins amount_y:Coins excess_x:Coins excess_y:Coins user_address:MsgAddress first_bin:int32 number_of_bins:uint32 liquidity_dict:(HashmapE 32 int32) lp_tokens:(HashmapE 32 int32) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell) order:Bool
bidask_save_liquidity_info#214ad1d2 query_id:uint64 amount_x:Coins amount_y:Coins deposit_type:uint3 liquidity_dict:(HashmapE 32 int32) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell)
bidask_adding_liquidity_notify#af31d23f query_id:uint64 user_address:MsgAddress amount_x:Coins amount_y:Coins deposit_type:uint3 liquidity_dict:(HashmapE 32 int32) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell)
bidask_internal_burn#16e09400 query_id:uint64 owner_address:MsgAddress amount_x:Coins amount_y:Coins first_bin:int32 tokens_to_burn:(HashmapE 32 int32) forward_payload:(Maybe ^Cell)
bidask_multitoken_mint#250ad226 query_id:uint64 ref_1:(Maybe ^Cell) ref_2:(Maybe ^Cell) liquidity_dict:(HashmapE 32 int32) number_of_bins:uint32 forward_payload:(Maybe ^Cell)
bidask_burn#73403c43 query_id:uint64 tokens_to_burn:(HashmapE 32 int32) forward_payload:(Maybe ^Cell)
bidask_burn_all#ebd6ec83 query_id:uint64 forward_payload:(Maybe ^Cell)
bidask_liquidity_added_notify#0dc8bb28 query_id:uint64 forward_payload:(Maybe ^Cell)
bidask_native_transfer_notification#6edd65f0 query_id:uint64 native_amount:Coins forward_payload:(Maybe ^Cell)
bidask_provide_both_forward_payload#3ea0bafc ton_amount:Coins deposit_type:uint4 liquidity_dict:(HashmapE 32 int32) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell)
bidask_internal_swap_v2#87d36990 query_id:uint64 to_address:MsgAddress order:Bool is_x:Bool amount_in:Coins amount_out:Coins exact_out:Coins slippage:(Either Coins uint256) farming_cell:(Maybe ^BidaskFarmingData) additional_data:(Maybe ^BidaskAdditionalData) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell)
bidask_swap_v2#87d36990 query_id:uint64 native_amount:Coins to_address:MsgAddress slippage:(Either Coins uint256) exact_out:Coins additional_data:(Maybe ^BidaskAdditionalData) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell)
bidask_swap_v2_forward_payload#87d36990 to_address:MsgAddress slippage:(Either Coins uint256) exact_out:Coins additional_data:(Maybe ^BidaskAdditionalData) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell)
bidask_swap_success_v2#d3a25890 query_id:uint64 new_current_bin:int32 new_sqrt_price:uint256 order:Bool amount_x:Coins amount_y:Coins is_x:Bool user_address:MsgAddress dynamic_fee:uint16 additional_data:(Maybe ^BidaskAdditionalData) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell)
bidask_internal_continue_swap_v2#5a6a036f query_id:uint64 to_address:MsgAddress order:Bool is_x:Bool amount_in:Coins amount_out:Coins exact_out:Coins slippage:(Either Coins uint256) swap_additional_data:(Maybe ^BidaskSwapAdditionalData) additional_data:(Maybe ^BidaskAdditionalData) reject_payload:(Maybe ^Cell) forward_payload:(Maybe ^Cell)
`
