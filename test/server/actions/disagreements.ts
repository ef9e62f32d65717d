// Where the rules do not agree yet with what is known of the real traces: by trace and type of action, the columns that
// differ. `none` is an action that is not made, `not_expected` one that is made. The list may only become shorter.

export const DISAGREEMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'cocoon-02': { cocoon_proxy_charge: 'amount destination expected_address source' },
  'cocoon-06': { cocoon_proxy_payout: 'destination_secondary source' },
  'coffee-01': { nft_mint: 'opcode' },
  'coffee-07': {
    call_contract: 'ancestor_type parent_action_id',
    coffee_create_pool_creator: 'none',
    contract_deploy: 'none',
    jetton_transfer: 'ancestor_type parent_action_id',
  },
  'coffee-11': { nft_mint: 'opcode' },
  'dedust-liquidities-02': { dex_deposit_liquidity: 'target_amount_1 target_amount_2' },
  'dedust-liquidities-06': {
    dex_deposit_liquidity:
      'action_id amount1 amount2 asset1 asset2 none start_lt target_amount_1 tx_hashes user_jetton_wallet_1 user_jetton_wallet_2',
  },
  'ethena-02': { stake_deposit: 'source_secondary' },
  'evaa-09': { evaa_supply: 'end_lt end_utime tx_hashes' },
  'jvault-06': { jvault_unstake_request: 'asset' },
  'jvault-09': { jvault_claim: 'claimed_amounts claimed_jettons' },
  'jvault-10': { jvault_unstake_request: 'asset end_lt opcode tx_hashes' },
  'jvault-11': { jvault_unstake: 'asset end_lt end_utime success tx_hashes' },
  'layerzero-01': { layerzero_send: 'accounts tx_hashes', ton_transfer: 'ancestor_type parent_action_id' },
  'layerzero-02': { layerzero_dvn_verify: 'status success' },
  'layerzero-03': { layerzero_send: 'accounts tx_hashes', ton_transfer: 'ancestor_type parent_action_id' },
  'nft-01': { nft_purchase: 'real_prev_owner', nft_transfer: 'payout_comment_encoded payout_comment_encrypted' },
  'nft-02': { nft_purchase: 'real_prev_owner', nft_transfer: 'payout_comment_encoded payout_comment_encrypted' },
  'nft-03': { nft_transfer: 'marketplace_fee_address payout_comment_encoded payout_comment_encrypted' },
  'stonfi-v2-swaps-02': { call_contract: 'not_expected', jetton_swap: 'tx_hashes' },
  'tgbtc-05': { tgbtc_burn_fallback: 'action_id' },
  'tgbtc-06': {
    call_contract: 'ancestor_type parent_action_id',
    jetton_burn: 'ancestor_type parent_action_id',
    tgbtc_burn: 'none',
    tgbtc_burn_fallback: 'not_expected',
    ton_transfer: 'ancestor_type parent_action_id',
  },
  'tgbtc-07': {
    call_contract: 'parent_action_id',
    tgbtc_new_key: 'accounts action_id end_lt start_lt tx_hashes',
    ton_transfer: 'ancestor_type parent_action_id',
  },
  'tgbtc-09': {
    call_contract: 'parent_action_id',
    tgbtc_new_key: 'accounts action_id end_lt start_lt tx_hashes',
    ton_transfer: 'ancestor_type parent_action_id',
  },
  'tgbtc-10': { tgbtc_dkg_log_fallback: 'asset value' },
  'tonco-02': { jetton_swap: 'min_out_amount' },
  'tonco-06': { dex_withdraw_liquidity: 'asset2_out user_jetton_wallet_2' },
  'tonstakers-01': { nft_mint: 'opcode', nft_transfer: 'payout_comment_encoded payout_comment_encrypted' },
}
