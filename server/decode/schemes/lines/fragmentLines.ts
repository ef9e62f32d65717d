// Fragment: user names and numbers that are sold.

export const fragmentLines = `
telemint_token_info name:TelemintText domain:TelemintText = TelemintTokenInfo
teleitem_auction_config beneficiary_address:MsgAddressInt initial_min_bid:Grams max_bid:Grams min_bid_step:uint8 min_extend_time:uint32 duration:uint32 = TeleitemAuctionConfig
nft_royalty_params numerator:uint16 denominator:uint16 destination:MsgAddress = NftRoyaltyParams
telemint_unsigned_deploy subwallet_id:uint32 valid_since:uint32 valid_till:uint32 token_name:TelemintText content:^Cell auction_config:^TeleitemAuctionConfig royalty_params:(Maybe ^NftRoyaltyParams) = TelemintUnsignedDeploy
telemint_unsigned_deploy_v2 subwallet_id:uint32 valid_since:uint32 valid_till:uint32 token_name:TelemintText content:^Cell auction_config:^TeleitemAuctionConfig royalty_params:(Maybe ^NftRoyaltyParams) restrictions:(Maybe ^TelemintRestrictions) = TelemintUnsignedDeployV2
telemint_restrictions force_sender_address:(Maybe MsgAddressInt) rewrite_sender_address:(Maybe MsgAddressInt) = TelemintRestrictions
teleitem_msg_deploy#299a3e15 sender_address:MsgAddressInt bid:Grams token_info:^TelemintTokenInfo nft_content:^Cell auction_config:^TeleitemAuctionConfig royalty_params:^NftRoyaltyParams
teleitem_msg_deploy_head#299a3e15 sender_address:MsgAddressInt bid:Grams
telemint_msg_deploy#4637289a sig:bits512 msg:TelemintUnsignedDeploy
telemint_msg_deploy_v2#4637289b sig:bits512 msg:TelemintUnsignedDeployV2
`
