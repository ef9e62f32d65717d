// Moon, an exchange with orders.

export const moonLines = `
swap_params min_out:(VarUInteger 16) deadline:uint64 excess:(Maybe MsgAddress) referral:(Maybe MsgAddress) next_fulfill:(Maybe ^MoonNextPayload) next_reject:(Maybe ^MoonNextPayload) = MoonSwapParams
next_payload recipient:MsgAddress payload:(Maybe ^Cell) = MoonNextPayload
order_data rate:uint256 lock:uint2 vesting_time:uint64 = MoonOrderParams
moon_swap#b37a900b query_id:uint64 amount:(VarUInteger 16) swap_params:MoonSwapParams
moon_swap_forward_payload#b37a900b swap_params:MoonSwapParams
moon_swap_succeed#cb7f38d6 rest:Any
moon_swap_succeed_forward_payload#cb7f38d6 rest:Any
moon_swap_failed#c47c1f57 rest:Any
moon_swap_failed_forward_payload#c47c1f57 rest:Any
moon_deposit_liquidity#b31db781 query_id:uint64 min_lp_out:(VarUInteger 16)
moon_deposit_liquidity_forward_payload#b31db781 min_lp_out:(VarUInteger 16)
moon_boost_pool#96aa1586 query_id:uint64
moon_boost_pool_forward_payload#96aa1586 rest:Any
moon_create_order#da067c19 query_id:uint64 asset2_id:MsgAddress order_data:MoonOrderParams
moon_create_order_forward_payload#da067c19 asset1_id:MsgAddress asset2_id:MsgAddress order_data:MoonOrderParams
moon_deploy_order#983432e2 query_id:uint64 order_fee:uint8 order_data:MoonOrderParams pipes:^Cell
moon_fill_order#99b49842 query_id:uint64 recipient:MsgAddress recipient_payload:(Maybe ^Cell) reject_address:MsgAddress
moon_fill_order_forward_payload#99b49842 recipient:MsgAddress recipient_payload:(Maybe ^Cell) reject_address:MsgAddress
moon_order_payout#96612e37 query_id:uint64
moon_vesting_payout#b4fc3916 query_id:uint64
moon_cancel_order#1e8d79c4 query_id:uint64
moon_order_cancelled#49f48ee9 query_id:uint64
`
