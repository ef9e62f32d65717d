// DeDust, versions 1 and 2.

export const dedustLines = `
_ asset_type:uint4 = DedustAssetType
_ version:uint16 = DedustVersion
native$0000 = DedustAsset
jetton$0001 workchain_id:int8 address:bits256 = DedustAsset
code_installer#01 = DedustRole
code_updater#02 = DedustRole
fee_collector#03 = DedustRole
fee_configurator#04 = DedustRole
stable_pool_factory#05 = DedustRole
legacy_vault_factory#06 = DedustRole
quote_synchronizer#07 = DedustRole
quote_configurator#08 = DedustRole
pool_params is_stable:Bool asset0:DedustAsset asset1:DedustAsset = DedustPoolParams
_ proof:DedustVaultProofContent = DedustVaultProof
proof factory_addr:MsgAddressInt contract_type:DedustContractType params:DedustAsset = DedustVaultProofContent
vault#01 = DedustContractType
pool#02 = DedustContractType
liquidity_deposit#03 = DedustContractType
operator#04 = DedustContractType
_ proof:DedustLiquidityDepositProofContent = DedustLiquidityDepositProof
proof factory_addr:MsgAddressInt contract_type:DedustContractType params:^[owner_addr:MsgAddressInt pool_params:DedustPoolParams] = DedustLiquidityDepositProofContent
_ proof:DedustPoolProofContent = DedustPoolProof
proof factory_addr:MsgAddressInt contract_type:DedustContractType params:DedustPoolParams = DedustPoolProofContent
_ min_lp_amount:Coins asset0_target_balance:Coins asset1_target_balance:Coins = DedustDepositLiquidityParams
step pool_addr:MsgAddressInt params:DedustSwapStepParams = DedustSwapStep
step_params kind:DedustSwapKind limit:Coins next:(Maybe ^DedustSwapStep) = DedustSwapStepParams
given_in$0 = DedustSwapKind
given_out$1 = DedustSwapKind
swap_params deadline:DedustTimestamp recipient_addr:MsgAddress referral_addr:MsgAddress fulfill_payload:(Maybe ^Cell) reject_payload:(Maybe ^Cell) = DedustSwapParams
_ timestamp:uint32 = DedustTimestamp
dedust_transfer_ownership#ca61554e query_id:uint64 new_owner_addr:MsgAddress
dedust_accept_ownership#dee60404 query_id:uint64
dedust_cancel_ownership_transfer#16cb7fc2 query_id:uint64
dedust_install_vault_code#bc3f26f6 query_id:uint64 asset_type:DedustAssetType code_version:DedustVersion code:^Cell
dedust_create_vault#21cfe02b query_id:uint64 asset:DedustAsset
dedust_create_legacy_jetton_vault#c9a5752d query_id:uint64 minter_addr:MsgAddressInt resolver_addr: MsgAddressInt
dedust_upgrade_vault#25d66911 query_id:uint64 asset:DedustAsset
dedust_upgrade#df4a27aa query_id:uint64 code_version:DedustVersion code:^Cell
dedust_reset_gas#9f3f0937 query_id:uint64
dedust_deploy_operator#b9d29997 query_id:uint64 role:DedustRole user_addr:MsgAddressInt
dedust_change_operator_user_addr#1be6df93 query_id:uint64 role:DedustRole user_addr:MsgAddressInt
dedust_install_operator_code#e505d21a query_id:uint64 code_version:DedustVersion code:^Cell
dedust_upgrade_operator#0085f5a3 query_id:uint64 role:DedustRole
dedust_install_pool_code#a3e45df1 query_id:uint64 code_version:DedustVersion code:^Cell
dedust_create_volatile_pool#97d51f2f query_id:uint64 asset0:DedustAsset asset1:DedustAsset
dedust_create_stable_pool#7c40ac87 query_id:uint64 asset0:DedustAsset asset0_decimals:uint8 asset1:DedustAsset asset1_decimals:uint8
dedust_upgrade_pool#53e252ae query_id:uint64 pool_params:DedustPoolParams
dedust_sync_fee_collector_addr#817462a9 query_id:uint64 pool_addr:MsgAddressInt
dedust_configure_pool_asset_quote_provider#a805f43e query_id:uint64 pool_addr:MsgAddressInt asset:DedustAsset quote_provider_addr:MsgAddress
dedust_sync_pool_asset_quote#59317e9a query_id:uint64 pool_addr:MsgAddressInt asset:DedustAsset
dedust_install_liquidity_deposit_code#99a84311 query_id:uint64 code_version:DedustVersion code:^Cell
dedust_create_liquidity_deposit#f04ec526 query_id:uint64 proof:^DedustVaultProof owner_addr:MsgAddressInt pool_params:DedustPoolParams _:^[asset0_target_balance:Coins asset1_target_balance:Coins deposit_asset:DedustAsset deposit_amount:Coins min_lp_amount:Coins] fulfill_payload:(Maybe ^Cell) reject_payload:(Maybe ^Cell)
dedust_destroy_non_ready_vault#8a518d0d query_id:uint64 asset:DedustAsset
dedust_install#9b3aa3fa query_id:uint64 blank_code:^Cell code_version:DedustVersion code:^Cell extra_params:Cell
dedust_pay_out_from_deposit#6b0b787f query_id:uint64 proof:^DedustLiquidityDepositProof amount:Coins payload:(Maybe ^Cell)
dedust_pay_out_from_pool#ad4eb6f5 query_id:uint64 proof:^DedustPoolProof amount:Coins recipient_addr:MsgAddress payload:(Maybe ^Cell)
dedust_provide_vault_state#e93405b9 query_id:uint64
dedust_take_vault_state#a913dc0d query_id:uint64 is_ready:Bool
dedust_deposit_liquidity#d55e4686 query_id:uint64 amount:Coins pool_params:DedustPoolParams deposit_params:^DedustDepositLiquidityParams fulfill_payload:(Maybe ^Cell) reject_payload:(Maybe ^Cell)
dedust_deposit_liquidity#d55e4686 query_id:uint64 amount:Coins pool_params:DedustPoolParams min_lp_amount:Coins asset0_target_balance:Coins asset1_target_balance:Coins fulfill_payload:(Maybe ^Cell) reject_payload:(Maybe ^Cell)
dedust_payout#474f86cf query_id:uint64 payload:(Maybe ^Cell)
dedust_swap#ea06185d query_id:uint64 amount:Coins _:DedustSwapStep swap_params:^DedustSwapParams
dedust_deposit_liquidity#40e108d6 pool_params:DedustPoolParams min_lp_amount:Coins asset0_target_balance:Coins asset1_target_balance:Coins fulfill_payload:(Maybe ^Cell) reject_payload:(Maybe ^Cell)
dedust_swap#e3a0d482 _:DedustSwapStep swap_params:^DedustSwapParams
dedust_destroy_non_ready#9d65482b query_id:uint64
dedust_deposit_liquidity_all#b56b9598 query_id:uint64 proof:^DedustLiquidityDepositProof owner_addr:MsgAddressInt min_lp_amount:Coins _:^[asset0:DedustAsset asset0_amount:Coins asset1:DedustAsset asset1_amount:Coins] fulfill_payload:(Maybe ^Cell) reject_payload:(Maybe ^Cell)
dedust_swap_external#61ee542d query_id:uint64 proof:^DedustVaultProof amount:Coins sender_addr:MsgAddressInt current:DedustSwapStepParams swap_params:^DedustSwapParams
dedust_swap_peer#72aca8aa query_id:uint64 proof:^DedustPoolProof asset:DedustAsset amount:Coins sender_addr:MsgAddressInt current:DedustSwapStepParams swap_params:^DedustSwapParams
dedust_collect_fees#0b429f52 query_id:uint64 asset0_amount:Coins asset0_destination:MsgAddressInt asset0_payload:(Maybe ^Cell) asset1_amount:Coins asset1_destination:MsgAddress asset1_payload:(Maybe ^Cell)
dedust_configure_fee_collector_addr#eda15922 query_id:uint64 fee_collector_addr:MsgAddressInt
dedust_configure_quote_provider#abb46b3d query_id:uint64 asset:DedustAsset quote_provider_addr:MsgAddress
dedust_sync_asset_quote#6873c90c query_id:uint64 asset:DedustAsset
dedust_provide_pool_state#6e24728d query_id:uint64 include_assets:Bool
dedust_take_pool_state#bddd4954 query_id:uint64 reserve0:Coins reserve1:Coins total_supply:Coins assets:(Maybe ^[asset0:DedustAsset asset1:DedustAsset])
dedust_configure_start_time#7ed7f6ce query_id:uint64 start_at:DedustTimestamp
dedust_deposit_asset#54240fe5 query_id:uint64 asset:DedustAsset amount:Coins
dedust_fulfill_deposit#aae79256 query_id:uint64 proof:^DedustPoolProof asset0_deposit:Coins asset1_deposit:Coins
dedust_reject_deposit#e1a36cd4 query_id:uint64 proof:^DedustPoolProof payload:(Maybe ^Cell)
dedust_cancel_deposit#166cedee query_id:uint64 payload:(Maybe ^Cell)
dedust_provide_current_quote#ad83913f query_id:uint64 custom_payload:(Maybe ^Cell)
dedust_configure_trade_fee#c015297f query_id:uint64 trade_fee:uint16
dedust_reset_gas_v2#26c63ab7 query_id:uint64 response_destination:MsgAddressInt
dedust_set_user_addr#48e5a95d query_id:uint64 user_addr:MsgAddress
dedust_forward#f1989255 query_id:uint64 destination:MsgAddressInt body:^Cell
dedust_take_current_quote#0a420458 query_id:uint64 quote_numerator:uint128 quote_denominator:uint128 custom_payload:(Maybe ^Cell)
dedust_deposit#b544f4a4 sender_addr:MsgAddressInt amount0:Coins amount1:Coins reserve0:Coins reserve1:Coins liquidity:Coins
dedust_withdrawal#3aa870a6 sender_addr:MsgAddressInt liquidity:Coins amount0:Coins amount1:Coins reserve0:Coins reserve1:Coins
dedust_swap_notification#9c610de3 asset_in:DedustAsset asset_out:DedustAsset amount_in:Coins amount_out:Coins _:^[sender_addr:MsgAddressInt referral_addr:MsgAddress reserve0:Coins reserve1:Coins]
`
