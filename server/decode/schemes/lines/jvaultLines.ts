// JVault, staking of jettons.

export const jvaultLines = `
_ bit:uint1 = Bit
jvault_receive_jettons#d68a4ac1 query_id:uint64 min_deposit:Coins max_deposit:Coins unstake_commission:uint16 unstake_fee:Coins whitelist:(HashmapE 267 Bit) received_jettons:Coins
jvault_unstake_jettons#499a9262 query_id:uint64 jettons_to_unstake:Coins force_unstake:Bool
jvault_unstake_request#0168d4b7 query_id:uint64 jettons_to_unstake:Coins
jvault_claim_rewards_msg#78d9f109 query_id:uint64 jettons_to_claim:(HashmapE 267 Bit)
jvault_send_claimed_rewards#44bc1fe3 rest:Any
jvault_request_update_rewards#f5c5baa3 rest:Any
jvault_update_rewards#ae9307ce rest:Any
jvault_request_update_referrer#55c35b40 rest:Any
jvault_update_referrer#076ee4e0 rest:Any
jvault_set_data#383411ea rest:Any
`
