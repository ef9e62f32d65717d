// What actions say was moved, by type: whose holding of which asset changed by how much. A type without an entry does not
// compile; one that speaks of no movement says so.

import type { AccountsFacts } from '../../../server/actions/index.ts'
import { wellKnownAccounts } from '../../../server/interfaces/index.ts'
import type { actionDetails } from '../../../shared/v3/actionDetails/index.ts'
import { isTon } from './moved.ts'

export interface Claim {
  /** Null where the action does not say whose it is. */
  readonly account: string | null
  /** Null is TON. */
  readonly asset: string | null
  /** Negative for what was given. */
  readonly amount: bigint
  /** Whether more may have moved: a message brings TON for the way as well, and a fee may be left out. */
  readonly isLeast: boolean
  /** Whether less may have moved. */
  readonly isMost?: boolean
  /** A price: several payments of one transaction may make it up. */
  readonly isPrice?: boolean
  /** Whether what moved is an action of its own, beside this one. */
  readonly isBeside?: boolean
}

type Details = Readonly<Record<string, unknown>>
type Claims = (details: Details, facts: AccountsFacts) => readonly (Claim | null)[]

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** TON with gas for the way; jettons as they are. */
function moved(account: unknown, asset: unknown, amount: unknown, sign: bigint): Claim | null {
  if (amount === null || amount === undefined) return null
  const isOfTon = isTon(asset)
  return {
    account: text(account),
    asset: isOfTon ? null : text(asset),
    amount: sign * BigInt(String(amount)),
    isLeast: isOfTon,
  }
}

const gave = (account: unknown, asset: unknown, amount: unknown) => moved(account, asset, amount, -1n)
const got = (account: unknown, asset: unknown, amount: unknown) => moved(account, asset, amount, 1n)
const exactly = (claim: Claim | null): Claim | null => claim && { ...claim, isLeast: false }
const atLeast = (claim: Claim | null): Claim | null => claim && { ...claim, isLeast: true }
const beside = (claim: Claim | null): Claim | null => claim && { ...claim, isBeside: true }
/** TON to the nanoton. */
const paidTo = (account: unknown, amount: unknown) => exactly(got(account, null, amount))
const paidBy = (account: unknown, amount: unknown) => exactly(gave(account, null, amount))

interface Leg {
  readonly asset: unknown
  readonly source: unknown
  readonly destination: unknown
  readonly amount: unknown
}

const leg = (value: unknown): Leg => value as Leg

const NOTHING: Claims = () => []
const carried: Claims = ({ source, value }) => [paidBy(source, value)]

/** Exchanges whose pools are the masters of their own jettons. */
const HAS_POOL_JETTON = ['dedust', 'stonfi_v2', 'coffee']

const poolJetton = ({ dex, pool }: Details, amount: unknown, sign: bigint): Claim | null =>
  HAS_POOL_JETTON.includes(String(dex)) ? moved(null, pool, amount, sign) : null

const taken: Claims = (details) => [
  ...[1, 2].map((n) => got(details.source, details[`asset_${n}`], details[`amount_${n}`])),
  poolJetton(details, details.lp_tokens_burnt, -1n),
]

const sold: Claims = ({ price, payout_amount, payout_address, royalty_amount, royalty_address }) => {
  const paid = atLeast(paidTo(null, price))
  return [
    paid && { ...paid, isPrice: true },
    paidTo(payout_address, payout_amount),
    paidTo(royalty_address, royalty_amount),
  ]
}

/** Of which the pool keeps something for its work, that is left out. */
const WITH_FEE = ['liquid_staking', 'hipo']

export const CLAIMS: Readonly<Record<keyof typeof actionDetails, Claims>> = {
  ton_transfer: carried,
  extra_currency_transfer: carried,
  call_contract: carried,
  contract_deploy: carried,
  gasless_request: carried,
  change_wallet_key: carried,
  tick_tock: NOTHING,
  unknown: NOTHING,
  election_deposit: ({ stake_holder, amount }) => [paidBy(stake_holder, amount)],
  election_recover: ({ stake_holder, amount }) => [paidTo(stake_holder, amount)],
  subscribe: ({ subscriber, amount }) => [atLeast(paidBy(subscriber, amount))],
  unsubscribe: NOTHING,

  jetton_transfer: ({ asset, sender, receiver, amount }) =>
    // The wallet of a proxy keeps TON for the exchange, or sends on what it kept.
    isTon(asset) ? [beside(got(null, null, amount))] : [gave(sender, asset, amount), got(receiver, asset, amount)],
  jetton_burn: ({ owner, asset, amount }) => [gave(owner, asset, amount)],
  jetton_mint: ({ receiver, asset, amount }) => [got(receiver, asset, amount)],

  nft_transfer: sold,
  nft_purchase: sold,
  nft_mint: NOTHING,
  nft_discovery: NOTHING,
  nft_put_on_sale: NOTHING,
  nft_put_on_auction: NOTHING,
  nft_update_sale: NOTHING,
  nft_cancel_sale: NOTHING,
  nft_cancel_auction: NOTHING,
  nft_finish_auction: NOTHING,
  teleitem_start_auction: NOTHING,
  teleitem_cancel_auction: NOTHING,
  auction_bid: ({ bidder, amount }) => [paidBy(bidder, amount)],
  auction_outbid: ({ bidder, amount }) => [paidTo(bidder, amount)],
  change_dns: NOTHING,
  delete_dns: NOTHING,
  renew_dns: NOTHING,
  dns_release: ({ source, value }) => [paidBy(source, value)],
  dns_purchase: ({ nft_item, price }) => [paidBy(nft_item, price)],

  stake_deposit: ({ provider, stake_holder, amount, asset, tokens_minted, source_asset }) => [
    WITH_FEE.includes(String(provider))
      ? atLeast(gave(stake_holder, null, amount))
      : exactly(gave(stake_holder, source_asset, amount)),
    got(null, asset, tokens_minted),
  ],
  stake_withdrawal: ({ stake_holder, amount, asset, tokens_burnt }) => [
    got(stake_holder, null, amount),
    asset === null ? null : gave(stake_holder, asset, tokens_burnt),
  ],
  stake_withdrawal_request: ({ stake_holder, asset, tokens_burnt, tokens_minted }) =>
    asset === null ? [] : [gave(stake_holder, asset, tokens_burnt), got(stake_holder, asset, tokens_minted)],

  jetton_swap: ({ dex_incoming_transfer, dex_outgoing_transfer }) => {
    const incoming = leg(dex_incoming_transfer)
    const outgoing = leg(dex_outgoing_transfer)
    return [
      gave(incoming.source, incoming.asset, incoming.amount),
      isTon(outgoing.asset)
        ? got(null, null, outgoing.amount)
        : got(outgoing.destination, outgoing.asset, outgoing.amount),
    ]
  },
  dex_deposit_liquidity: (details) => [
    ...[1, 2].map((n) => gave(details.source, details[`asset_${n}`], details[`amount_${n}`])),
    // The second version's amounts are without what it returned.
    ...(details.dex === 'dedust_v2' ? [] : (details.vault_excesses as readonly Leg[])).map(({ asset, amount }) =>
      got(details.source, asset, amount),
    ),
    poolJetton(details, details.lp_tokens_minted, 1n),
  ],
  dex_withdraw_liquidity: taken,
  dedust_v2_claim_fees: taken,
  dedust_v2_claim_reward: ({ source, asset, amount }) => [got(source, asset, amount)],
  tonco_deploy_pool: NOTHING,

  coffee_create_vault: ({ source, value }) => [paidBy(source, value)],
  coffee_create_pool_creator: ({ source, provided_asset, amount }) => [gave(source, provided_asset, amount)],
  coffee_create_pool: ({ source, provided_asset, amount, pool, lp_tokens_minted }) => [
    gave(source, provided_asset, amount),
    got(null, pool, lp_tokens_minted),
  ],
  coffee_mev_protect_hold_funds: ({ source, asset, amount }) => [gave(source, asset, amount)],
  coffee_mev_protect_failed_swap: NOTHING,
  coffee_staking_deposit: ({ source, asset, amount }) => [gave(source, asset, amount)],
  coffee_staking_withdraw: ({ source, asset, amount }) => [got(source, asset, amount)],
  coffee_staking_claim_rewards: ({ recipient, asset, amount }) => [got(recipient, asset, amount)],

  evaa_supply: ({ source, asset, amount }) => [gave(source, asset, amount)],
  evaa_withdraw: ({ recipient, asset, amount }) => [got(recipient, asset, amount)],
  evaa_liquidate: ({ source, collateral, amount }) => [got(source, collateral, amount)],

  jvault_stake: ({ source, asset, amount }) => [gave(source, asset, amount)],
  // What a pool of JVault keeps of the stake is part of it.
  jvault_unstake: ({ source, asset, amount, pool }, facts) => {
    const isMost = facts.get(String(pool))?.nftItem?.collection === wellKnownAccounts.jvaultPools.id
    const claim = got(source, asset, amount)
    return [claim && { ...claim, isMost }]
  },
  jvault_unstake_request: NOTHING,
  jvault_claim: ({ source, claimed_rewards }, facts) =>
    (claimed_rewards as readonly { jetton: string; amount: string }[]).map(({ jetton, amount }) =>
      got(source, facts.get(jetton)?.jettonWallet?.jetton, amount),
    ),

  layerzero_send: NOTHING,
  layerzero_send_tokens: ({ sender, asset, amount }) => [gave(sender, asset, amount)],
  layerzero_receive: NOTHING,
  layerzero_commit_packet: NOTHING,
  layerzero_dvn_verify: NOTHING,

  // The fee is left out of both.
  tgbtc_mint: ({ destination, asset, amount }) => [atLeast(got(destination, asset, amount))],
  tgbtc_burn: ({ source, asset, amount }) => [atLeast(gave(source, asset, amount))],
  // Known contracts wrote it to their logs; what moved is elsewhere.
  tgbtc_mint_fallback: NOTHING,
  tgbtc_burn_fallback: NOTHING,
  tgbtc_new_key: NOTHING,
  tgbtc_new_key_fallback: NOTHING,
  tgbtc_dkg_log_fallback: NOTHING,

  cocoon_worker_payout: ({ destination, amount }) => [paidTo(destination, amount)],
  cocoon_proxy_payout: NOTHING,
  cocoon_proxy_charge: NOTHING,
  cocoon_grant_refund: ({ amount }) => [paidTo(null, amount)],
  cocoon_client_top_up: ({ source, amount }) => [atLeast(paidBy(source, amount))],
  cocoon_register_proxy: NOTHING,
  cocoon_unregister_proxy: NOTHING,
  cocoon_client_register: NOTHING,
  cocoon_client_change_secret_hash: NOTHING,
  cocoon_client_request_refund: NOTHING,
  cocoon_client_increase_stake: NOTHING,
  cocoon_client_withdraw: ({ amount }) => [paidTo(null, amount)],

  multisig_create_order: NOTHING,
  multisig_approve: NOTHING,
  multisig_execute: NOTHING,
  vesting_send_message: ({ vesting, amount }) => [beside(paidBy(vesting, amount))],
  vesting_add_whitelist: NOTHING,
}
