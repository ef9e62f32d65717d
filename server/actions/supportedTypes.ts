// Which types a client supports: names of versions and families expand to lists.

import { GASLESS_REQUEST } from './gaslessType.ts'
import type { Rule } from './rule.ts'
import { ACTION_RULES } from './rules/index.ts'

const V1 = [
  'call_contract',
  'contract_deploy',
  'ton_transfer',
  'stake_deposit',
  'stake_withdrawal',
  'stake_withdrawal_request',
  'dex_deposit_liquidity',
  'jetton_transfer',
  'nft_transfer',
  'nft_mint',
  'jetton_burn',
  'jetton_mint',
  'jetton_swap',
  'change_dns',
  'delete_dns',
  'renew_dns',
  'subscribe',
  'dex_withdraw_liquidity',
  'unsubscribe',
  'election_deposit',
  'election_recover',
  'auction_bid',
  'tick_tock',
]

const MULTISIG = ['multisig_create_order', 'multisig_approve', 'multisig_execute']
const VESTING = ['vesting_send_message', 'vesting_add_whitelist']
const EVAA = ['evaa_supply', 'evaa_withdraw', 'evaa_liquidate']
const JVAULT = ['jvault_stake', 'jvault_unstake', 'jvault_claim', 'jvault_unstake_request']

const COFFEE = [
  'coffee_create_vault',
  'coffee_create_pool_creator',
  'coffee_create_pool',
  'coffee_mev_protect_hold_funds',
  'coffee_staking_claim_rewards',
  'coffee_staking_deposit',
  'coffee_staking_withdraw',
]

const NFT = ['nft_transfer', 'nft_mint', 'auction_bid']
const DNS_SALES = ['dns_purchase', 'dns_release']

const SALES = [
  'nft_put_on_sale',
  'nft_put_on_auction',
  'auction_outbid',
  'nft_cancel_sale',
  'nft_purchase',
  'nft_cancel_auction',
  'nft_finish_auction',
  'teleitem_start_auction',
  'teleitem_cancel_auction',
  'nft_update_sale',
  ...DNS_SALES,
]

const LAYERZERO = [
  'layerzero_send',
  'layerzero_send_tokens',
  'layerzero_receive',
  'layerzero_commit_packet',
  'layerzero_dvn_verify',
]

const COCOON = [
  'cocoon_worker_payout',
  'cocoon_proxy_payout',
  'cocoon_proxy_charge',
  'cocoon_client_top_up',
  'cocoon_register_proxy',
  'cocoon_unregister_proxy',
  'cocoon_client_register',
  'cocoon_client_change_secret_hash',
  'cocoon_client_request_refund',
  'cocoon_grant_refund',
  'cocoon_client_increase_stake',
  'cocoon_client_withdraw',
]

const TGBTC = [
  'tgbtc_dkg_log_fallback',
  'tgbtc_new_key',
  'tgbtc_new_key_fallback',
  'tgbtc_burn',
  'tgbtc_burn_fallback',
  'tgbtc_mint',
  'tgbtc_mint_fallback',
]

const LATEST = 'latest'

/** What each name expands to: types, or further names. */
const SHORTCUTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['v1', V1],
  [
    'v2',
    [
      'v1',
      ...MULTISIG,
      ...VESTING,
      ...EVAA,
      ...JVAULT,
      'nft_discovery',
      'tonco_deploy_pool',
      ...COFFEE,
      'coffee_mev_protect_failed_swap',
      'unknown',
    ],
  ],
  ['v3', ['v2', ...SALES, ...LAYERZERO]],
  ['v4', ['v3', ...COCOON]],
  ['v5', ['v4', 'dedust_v2_claim_fees', 'dedust_v2_claim_reward', 'change_wallet_key', GASLESS_REQUEST]],
  [LATEST, ['v5']],
  ['staking', ['stake_deposit', 'stake_withdrawal', 'stake_withdrawal_request']],
  ['jettons', ['jetton_transfer', 'jetton_burn', 'jetton_mint']],
  ['nft', NFT],
  ['nft.v3', [...NFT, ...SALES]],
  ['dns', ['change_dns', 'delete_dns', 'renew_dns', ...DNS_SALES]],
  ['dns.v2', ['dns']],
  ['multisig', MULTISIG],
  ['vesting', VESTING],
  ['evaa', EVAA],
  ['jvault', JVAULT],
  ['coffee', COFFEE],
  ['tgbtc', TGBTC],
  ['layerzero', LAYERZERO],
  ['cocoon', COCOON],
])

/** Types every client understands. */
export const FIRST_VERSION: ReadonlySet<string> = new Set(V1)

/** The types some names expand to; those of the first version are always included. */
export function supportedTypes(names: readonly string[], rules: readonly Rule[] = ACTION_RULES): Set<string> {
  const types = new Set<string>()
  const seen = new Set<string>()
  const waiting = ['v1', ...(names.length === 0 ? [LATEST] : names)]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    // Types that only their rules know belong to the latest version.
    if (name === LATEST) for (const rule of rules) for (const type of rule.types ?? []) types.add(type)
    const meant = SHORTCUTS.get(name)
    if (meant === undefined) types.add(name)
    else if (!seen.has(name)) {
      seen.add(name)
      waiting.push(...meant)
    }
  }
  return types
}
