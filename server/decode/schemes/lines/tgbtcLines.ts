// tgBTC, bitcoins on TON.

export const tgbtcLines = `
tgbtc_mint_event#77a80ef3 amount:Coins recipient_address:MsgAddress bitcoin_txid:uint256
tgbtc_burn_event#ca444ce6 amount:Coins sender_address:MsgAddress pegout_address:MsgAddress
tgbtc_new_key_event#27756729 amount:Coins new_internal_pubkey:uint256 pegout_address:MsgAddress
tgbtc_dkg_completed_event#453443a6 timestamp:uint64 internal_pubkey:uint256
`
