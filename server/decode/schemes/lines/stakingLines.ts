// Staking: TON Stakers, Hipo, bemo, Whales, and what the elector and the configuration say to each other.

export const stakingLines = `
data controller_id:uint32 validator:MsgAddress pool:MsgAddress governor:MsgAddress _:^ApproverHalter = TonstakersControllerData
_ approver:MsgAddress halter:MsgAddress = ApproverHalter
lock_and_claim#3a86f1a0 query_id:uint64 proof:(Maybe ^Cell)
bemo_stake#4253c4d5 query_id:uint64 forward_ton_amount:(VarUInteger 16) forward_payload:(Maybe ^Cell)
bemo_unstake#492ab1b3 index:uint64 owner:MsgAddress ton_amount:(VarUInteger 16) jetton_amount:(VarUInteger 16) forward_payload:(Maybe ^Cell)
bemo_deploy_unstake_request#10a1ce75 query_id:uint64 owner_address:MsgAddress withdraw_ton_amount:(VarUInteger 16) withdraw_jetton_amount:(VarUInteger 16) forward_payload:(Maybe ^Cell) lockup_timestamp:uint32
bemo_unstake_notification#90c80a07 query_id:uint64 forward_payload:(Maybe ^Cell)
bemo_return_unstake_request#38633538 lockup_timestamp:uint32
hipo_finance_deposit_coins#3d3761a6 query_id:uint64 owner:MsgAddress coins:(VarUInteger 16) ownership_assigned_amount:(VarUInteger 16) referrer:MsgAddress
hipo_finance_proxy_tokens_minted#5be57626 query_id:uint64 tokens:(VarUInteger 16) coins:(VarUInteger 16) owner:MsgAddress round_since:uint32
hipo_finance_tokens_minted#5445efee query_id:uint64 tokens:(VarUInteger 16) coins:(VarUInteger 16) owner:MsgAddress round_since:uint32
approve#7b4b42e6 query_id:uint64
tonstake_controller_recover_stake#eb373a05 query_id:uint64
tonstake_controller_update_validator_hash#f0fd2250 query_id:uint64
tonstake_controller_withdraw_validator#8efed779 query_id:uint64 value:Coins
tonstake_controller_validator_withdrawal#30026327 query_id:uint64 amount:Coins
tonstake_controller_new_stake#e0505d0e query_id:uint64 value:Coins validator_pubkey:uint256 stake_at:uint32 max_factor:uint32 adnl_addr:uint256 signature:^(bits512)
tonstake_controller_send_request_loan#6335b11a query_id:uint64 min_loan:Coins max_loan:Coins max_interst:uint24
tonstake_controller_return_unused_loan#ed7378a6 query_id:uint64
tonstake_controller_return_available_funds#55c26cd5 query_id:uint64
tonstake_pool_request_loan#e642c965 query_id:uint64 min_loan:Coins max_loan:Coins max_interest:uint24 controller_data:^TonstakersControllerData
tonstake_pool_loan_repayment#dfdca27b query_id:uint64
tonstake_pool_touch#4bc7c2df query_id:uint64
tonstake_pool_set_governance_fee#2aaa96a0 query_id:uint64 governance_fee:uint16
tonstake_pool_set_roles#5e517f36 query_id:uint64 governor:(Maybe MsgAddress) interest_manager:(Maybe MsgAddress) halter:(Maybe MsgAddress)
tonstake_pool_set_deposit_settings#9bf5561c query_id:uint64 optimistic_deposit_withdrawals:Bool deposits_open:Bool
tonstake_pool_deploy_controller#b27edcad controller_id:uint32 query_id:uint64
tonstake_pool_prepare_governance_migration#9971881c query_id:uint64 governor_update_after:uint48
tonstake_controller_pool_send_message#270695fb query_id:uint64 mode:uint8 msg:^Cell
tonstake_controller_pool_upgrade#96e7f528 query_id:uint64 data:(Maybe ^Cell) code:(Maybe ^Cell) after_upgrade:(Maybe ^Cell)
tonstake_controller_pool_set_sudoer#79e7c016 query_id:uint64 sudoer:MsgAddress
tonstake_controller_pool_unhalt#7247e7a5 query_id:uint64
tonstake_controller_pool_halt#139a1b4e query_id:uint64
tonstake_imanager_set_interest#c9f04485 query_id:uint64 interest_rate:uint16
tonstake_imanager_operation_fee#54d37487 query_id:uint64
tonstake_imanager_request_notification#b1ebae06 query_id:uint64 min_loan:Coins max_loan:Coins max_interest:uint16
tonstake_imanager_stats#c1344900 query_id:uint64 borrowed:Coins expected:Coins returned:Coins profit_sign:int1 profit:Coins total_balance:Coins
whales_nominators_withdraw#da803efd query_id:int64 gas:Grams amount:Grams
whales_nominators_deposit#7bcd1fef query_id:int64 gas:Grams
whales_nominators_force_kick#1596920c query_id:int64
whales_nominators_stake_withdraw_delayed#74bb3427 query_id:int64
whales_nominators_stake_withdraw_completed#23d421e1 query_id:int64
whales_nominators_send_stake#a2065f2c query_id:uint64 gas_limit:Grams stake:Grams validator_pubkey:bits256 stake_at:uint32 max_factor:uint32 adnl_addr:bits256 signature:^bits512
whales_nominators_withdraw_unowned#251d6a98 query_id:uint64 gas_limit:Grams
whales_nominators_withdraw_unowned_response#1d1715bf query_id:uint64
whales_nominators_accept_stake#99a811fb query_id:uint64 members:Cell
whales_nominators_accept_withdraws#a19fd934 query_id:uint64 members:Cell
set_next_validator_set#4e565354 query_id:uint64 vset:^Cell
config_accepted#ee764f4b query_id:uint64
config_rejected#ee764f6f query_id:uint64
`
