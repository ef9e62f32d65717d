// Kinds of action by which the history of an account is filtered. The service and the page read them alike.

import type { ActionDetails } from '../v3/action.ts'

type Type = keyof ActionDetails

/** A type is of one kind, so that the kinds together are the whole history. */
export const TYPES_OF_KIND = {
  ton: ['ton_transfer'],
  jettons: ['jetton_transfer', 'jetton_burn', 'jetton_mint'],
  swaps: [
    ...(['jetton_swap', 'dex_deposit_liquidity', 'dex_withdraw_liquidity', 'evaa_liquidate'] as const),
    ...(['coffee_mev_protect_hold_funds', 'coffee_mev_protect_failed_swap'] as const),
  ],
  nfts: [
    ...(['nft_transfer', 'nft_purchase', 'nft_mint', 'nft_discovery', 'nft_put_on_sale'] as const),
    ...(['nft_put_on_auction', 'nft_update_sale', 'nft_cancel_sale', 'nft_cancel_auction'] as const),
    ...(['nft_finish_auction', 'teleitem_start_auction', 'teleitem_cancel_auction'] as const),
    ...(['auction_bid', 'auction_outbid'] as const),
  ],
  domains: ['change_dns', 'delete_dns', 'renew_dns', 'dns_release', 'dns_purchase'],
  stakes: [
    ...(['election_deposit', 'election_recover', 'stake_deposit', 'stake_withdrawal'] as const),
    ...(['stake_withdrawal_request', 'dedust_v2_claim_fees', 'dedust_v2_claim_reward'] as const),
    ...(['coffee_staking_deposit', 'coffee_staking_withdraw', 'coffee_staking_claim_rewards'] as const),
    ...(['evaa_supply', 'evaa_withdraw', 'jvault_stake', 'jvault_unstake', 'jvault_unstake_request'] as const),
    ...(['jvault_claim', 'cocoon_client_increase_stake'] as const),
  ],
  calls: ['call_contract', 'unknown', 'gasless_request'],
  deploys: [
    ...(['contract_deploy', 'tonco_deploy_pool', 'coffee_create_vault'] as const),
    ...(['coffee_create_pool_creator', 'coffee_create_pool'] as const),
  ],
  wallets: [
    ...(['change_wallet_key', 'subscribe', 'unsubscribe', 'multisig_create_order', 'multisig_approve'] as const),
    ...(['multisig_execute', 'vesting_add_whitelist', 'tgbtc_new_key', 'tgbtc_new_key_fallback'] as const),
    ...(['tgbtc_dkg_log_fallback', 'cocoon_register_proxy', 'cocoon_unregister_proxy'] as const),
    ...(['cocoon_client_register', 'cocoon_client_change_secret_hash'] as const),
  ],
  others: [
    ...(['extra_currency_transfer', 'vesting_send_message', 'tick_tock', 'layerzero_send'] as const),
    ...(['layerzero_send_tokens', 'layerzero_receive', 'layerzero_commit_packet', 'layerzero_dvn_verify'] as const),
    ...(['tgbtc_mint', 'tgbtc_mint_fallback', 'tgbtc_burn', 'tgbtc_burn_fallback'] as const),
    ...(['cocoon_worker_payout', 'cocoon_proxy_payout', 'cocoon_proxy_charge', 'cocoon_grant_refund'] as const),
    ...(['cocoon_client_top_up', 'cocoon_client_request_refund', 'cocoon_client_withdraw'] as const),
  ],
} as const satisfies Readonly<Record<string, readonly Type[]>>

export type ActionGroup = keyof typeof TYPES_OF_KIND

export const isActionGroup = (text: string): text is ActionGroup => Object.hasOwn(TYPES_OF_KIND, text)
