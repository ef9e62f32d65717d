// Services of all kinds, payment channels and storage among them.

export const othersLines = `
_ last_mined:uint256 last_index:uint256 = MegatonUpdateMiningParams
signed_schs signature:bits512 state:SemiChannel = SignedSemiChannel
semichannel_state#43685374 channel_id:uint128 data:SemiChannelBody counterparty_data:(Maybe ^SemiChannelBody) = SemiChannel
sc_body seqno:uint64 sent:Coins conditionals:(HashmapE 32 ConditionalPayment) = SemiChannelBody
cp amount:Coins condition:Cell = ConditionalPayment
torrent_info piece_size:uint32 file_size:uint64 root_hash:uint256 header_size:uint64 header_hash:uint256 microchunk_hash:(Maybe uint256) description:Cell = TorrentInfo
certificate data:CertificateData2Fa signature:bits512 = Certificate2Fa
certificate_data valid_until:uint64 pubkey:bits256 = CertificateData2Fa
_ seed_signature:bits512 = SeedSignature
send_actions#b15f2c8c seqno:uint32 valid_until:uint64 msg:^Cell mode:uint8 = Payload2Fa
remove_extension#9d8084d6 seqno:uint32 valid_until:uint64 = Payload2Fa
delegation#23d9c15c seqno:uint32 valid_until:uint64 new_state_init:^Cell forward_amount:Coins = Payload2Fa
cancel_delegation#de82b501 seqno:uint32 valid_until:uint64 = Payload2Fa
cron_trigger#2114702d reward_address:MsgAddress salt:uint32
cron_reward#2e04891a rest:Any
cron_notify#d027efe5 init_state_hash:uint256 init_state_depth:uint10
cron_init#2e41d3ac rest:Any
cron_destroyed#bbe27821 rest:Any
w5_dns_renewal_calc_and_topup#56f6110e first_call_time:uint32 repeat_every:uint32 salt:uint32 reward:Coins owner_address:MsgAddressInt renewal_actions_cell:^Cell topup_amount:Coins msg_to_wallet_amount:Coins
daolama_vault_supply#5c11ada9 amount:Coins
gram_submit_proof_of_work#4d696e65 flags:uint8 expire:uint32 whom:bits256 rdata1:bits256 rseed:uint128 rdata2:bits256
credit#1690c604 query_id:uint64 amount:Coins
disapprove#e8a0abfe query_id:uint64
megaton_wton_mint#77a33521 query_id:uint64 amount:Coins
megaton_update_mining_params#56a8e920 pool_addr:MsgAddressInt last_mined:uint256 last_index:uint256 _:^MegatonUpdateMiningParams
top_up_channel_balance#67c7d281 add_A:Coins add_B:Coins
init_payment_channel#0e0620c2 is_A:Bool signature:bits512 tag:uint32 channel_id:uint128 balance_A:Coins balance_B:Coins
channel_cooperative_close#5577587e sig_A:^bits512 sig_B:^bits512 tag:uint32 channel_id:uint128 balance_A:Coins balance_B:Coins seqno_A:uint64 seqno_B:uint64
channel_cooperative_commit#79a126ef sig_A:^bits512 sig_B:^bits512 tag:uint32 channel_id:uint128 seqno_A:uint64 seqno_B:uint64
start_uncooperative_channel_close#1f151acf signed_by_A:Bool signature:bits512 tag:uint32 channel_id:uint128 sch_A:^SignedSemiChannel sch_B:^SignedSemiChannel
challenge_quarantined_channel_state#088eaa32 challenged_by_A:Bool signature:bits512 tag:uint32 channel_id:uint128 sch_A:^SignedSemiChannel sch_B:^SignedSemiChannel
settle_channel_conditionals#66f6f069 from_A:Bool signature:bits512 tag:uint32 channel_id:uint128 conditionals_to_settle:(HashmapE 32 Cell)
finish_uncooperative_channel_close#25432a91 rest:Any
channel_closed#dddc88ba channel_id:uint128
deploy_storage_contract#e4748df1 query_id:uint64 info:^TorrentInfo merkle_hash:bits256 expected_rate:Coins expected_max_span:uint32
update_pubkey#53f34cd6 query_id:uint64 new_pubkey:bits256
update_storage_params#54cbf19b query_id:uint64 accept_new_contracts:Bool rate_per_mb_day:Coins max_span:uint32 minimal_file_size:uint64 maximal_file_size:uint64
offer_storage_contract#107c49ef query_id:uint64
accept_storage_contract#7a361688 query_id:uint64
storage_contract_confirmed#d4caedcd cur_lt:uint64 torrent_hash:bits256
close_storage_contract#79f937ea query_id:uint64
storage_contract_terminated#b6236d63 cur_lt:uint64 torrent_hash:bits256
storage_withdraw#46ed2e94 query_id:uint64
storage_reward_withdrawal#a91baf56 query_id:uint64
proof_storage#419d5d4d query_id:uint64 file_dict_proof:^Cell
subscription_fallback#756e6b77 rest:Any
subscription_deploy#f71783cb query_id:uint64 first_charging_date:uint32 payment_per_period:Grams period:uint32 grace_period:uint32 caller_fee:Grams withdraw_address:MsgAddressInt withdraw_msg_body:^Cell metadata:^Cell
subscription_reduce_payment#508238ec query_id:uint64 new_payment:Grams
tegro_swap_ton#600c00fd query_id:uint64 extract:Bool max_in:Coins min_out:Coins destination:MsgAddress error_destination:MsgAddress ref:(Maybe ^MsgAddress)
tegro_add_liquidity_forward_payload#287e167a amount_a:(VarUInteger 16) abount_b:(VarUInteger 16)
tegro_jetton_swap_forward_payload#01fb7a25 extract:Bool max_in:(VarUInteger 16) min_out:(VarUInteger 16) destination:MsgAddress error_destination:MsgAddress payload:(Maybe ^Cell)
tonkeeper_2fa_signed#53684037 ref_with_certificate:^Certificate2Fa ref_seed_signature:^SeedSignature payload:Payload2Fa certificate_signature:bits512
tonkeeper_relayer_fee_forward_payload#878da6e3 rest:Any
nerd_qr_verify#ccc2c823 item_id:uint32 signature:bits512
scaled_ui_display_multiplier_changed#ac392598 numerator:(VarUInteger 32) denominator:(VarUInteger 32) comment:(Maybe SnakeString)
`
