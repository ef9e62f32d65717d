// TONCO, an exchange with ranges of prices.

export const toncoLines = `
_ amount:(VarUInteger 16) sqrtPriceLimitX96:uint160 minOutAmount:(VarUInteger 16) = ToncoSwapParams
_ target_address:MsgAddress ok_forward_amount:(VarUInteger 16) ok_forward_payload:(Maybe ^Cell) ret_forward_amount:(VarUInteger 16) ret_forward_payload:(Maybe ^Cell) = ToncoSwapPayloads
_ fee_growth_inside_0_last_x128:uint256 fee_growth_inside_1_last_x128:uint256 = ToncoOldFeeCell
_ fee_growth_inside_0_current_x128:uint256 fee_growth_inside_1_current_x128:uint256 = ToncoNewFeeCell
_ jetton0_minter:MsgAddress jetton1_minter:MsgAddress = ToncoMinterCell
_ jetton0_minter:MsgAddress jetton1_minter:MsgAddress controller_addr:MsgAddress = ToncoMinterControllerCell
_ fee_growth_inside_0_last_x128:uint256 fee_growth_inside_1_last_x128:uint256 nft_index:uint64 jetton0_amount:(VarUInteger 16) jetton1_amount:(VarUInteger 16) tick:int24 = ToncoOldFeeCellFull
_ amount0:(VarUInteger 16) jetton0_address:MsgAddress amount1:(VarUInteger 16) jetton1_address:MsgAddress payload_cell:^ToncoPayloadCell = ToncoCoinsInfoCellFull
_ payload_amount0:(VarUInteger 16) payload_0:(Maybe ^Cell) payload_amount1:(VarUInteger 16) payload_1:(Maybe ^Cell) = ToncoPayloadCell
_ liquidity:uint128 price_sqrt:uint160 tick:int24 fee_growth_global_0x128:int256 fee_growth_global_1x128:int256 = ToncoIndexerSwapInfoCell
_ amount0:(VarUInteger 16) jetton0_address:MsgAddress amount1:(VarUInteger 16) jetton1_address:MsgAddress = ToncoCoinsInfoCell
_ nft_index:uint64 liquidity_burned:uint128 tick_lower:int24 tick_upper:int24 tick_burn:int24 = ToncoIndexerBurnInfoCell
tonco_pool_swap#a7fb58f8 query_id:uint64 owner_address:MsgAddress source_wallet:MsgAddress swap_params:^ToncoSwapParams swap_payloads:^ToncoSwapPayloads
tonco_pool_mint#b2c1b6e3 query_id:uint64 owner_address:MsgAddress amount0:(VarUInteger 16) amount1:(VarUInteger 16) enough0:(VarUInteger 16) enough1:(VarUInteger 16) liquidity:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_mint_and_refund#81702ef8 query_id:uint64 amount0_funded:(VarUInteger 16) amount1_funded:(VarUInteger 16) recipient:MsgAddress liquidity:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_start_burn#530b5f2c query_id:uint64 burned_index:uint64 liquidity_to_burn:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_burn#d73ac09d query_id:uint64 recipient:MsgAddress burned_index:uint64 liquidity:uint128 tick_lower:int24 tick_upper:int24 liquidity_to_burn:uint128 old_fee_cell:^ToncoOldFeeCell new_fee_cell:^ToncoNewFeeCell
tonco_pool_fund_account#4468de77 query_id:uint64 owner_address:MsgAddress amount0:(VarUInteger 16) amount1:(VarUInteger 16) enough0:(VarUInteger 16) enough1:(VarUInteger 16) liquidity:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_fund_account_payload#4468de77 other_jetton_wallet:MsgAddress amount0:(VarUInteger 16) amount1:(VarUInteger 16) liquidity:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_init#441c39ed query_id:uint64 from_admin:Bool has_admin:Bool admin_address:MsgAddress has_controller:Bool controller_address:MsgAddress set_spacing:Bool tick_spacing:int24 set_price:Bool initial_price_x96:uint160 set_active:Bool pool_active:Bool protocol_fee:uint16 lp_fee_base:uint16 lp_fee_current:uint16 nftv3_content:^Cell nftv3item_content:^Cell minter_cell:(Maybe ^ToncoMinterCell)
tonco_router_create_pool#2e3034ef query_id:uint64 jetton_wallet0:MsgAddress jetton_wallet1:MsgAddress tick_spacing:int24 initial_price_x96:uint160 protocol_fee:uint16 lp_fee_base:uint16 lp_fee_current:uint16 nftv3_content:^Cell nftv3item_content:^Cell minter_cell:^ToncoMinterControllerCell
tonco_position_nft_init#d5ecca2a query_id:uint64 user_address:MsgAddress liquidity:uint128 tick_lower:int24 tick_upper:int24 old_fee_cell:^ToncoOldFeeCellFull
tonco_position_nft_burn#46ca335a query_id:uint64 nft_owner:MsgAddress liquidity_to_burn:uint128 tick_lower:int24 tick_upper:int24 old_fee_cell:^ToncoOldFeeCell
tonco_account_add_liquidity#3ebe5431 query_id:uint64 new_amount0:(VarUInteger 16) new_amount1:(VarUInteger 16) new_enough0:(VarUInteger 16) new_enough1:(VarUInteger 16) liquidity:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_lock#b1b0b7e2 query_id:uint64
tonco_pool_unlock#4e737e4d query_id:uint64
tonco_pool_set_fee#6bdcbeb8 query_id:uint64 protocol_fee:uint16 lp_fee_base:uint16 lp_fee_current:uint16
tonco_account_refund_me#0bf3f447 query_id:uint64
tonco_reset_gas#42a0fb43 query_id:uint64
tonco_router_pay_to_normal#a1daa96d query_id:uint64 reciever0:MsgAddress reciever1:MsgAddress exit_code:uint32 seqno:uint64 coinsinfo_cell:(Maybe ^ToncoCoinsInfoCellFull) indexer_swap_info_cell:(Maybe ^ToncoIndexerSwapInfoCell)
tonco_router_pay_to_exit_code_201#a1daa96d query_id:uint64 reciever0:MsgAddress reciever1:MsgAddress exit_code:uint32 seqno:uint64 coinsinfo_cell:(Maybe ^ToncoCoinsInfoCell) indexer_burn_info_cell:(Maybe ^ToncoIndexerBurnInfoCell)
`
