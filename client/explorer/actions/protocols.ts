// What applications do: exchanges, lending, staking, bridges.

import { type Details, type ProtocolType, say, sayOne, some, type Templates, ton, via, who } from './say.ts'

type Sides = Pick<Details<'dex_withdraw_liquidity'>, 'amount_1' | 'asset_1' | 'amount_2' | 'asset_2'>

/** The amounts of both assets that are known and not zero. */
const sides = ({ amount_1, asset_1, amount_2, asset_2 }: Sides, nothing: string) => {
  const moved = ([amount]: readonly (string | null)[]) => amount && amount !== '0'
  const [one, other] = [[amount_1, asset_1] as const, [amount_2, asset_2] as const].filter(moved)
  if (!one) return [nothing]
  return other ? say`${some(...one)} and ${some(...other)}` : [some(...one)]
}

const cocoon = (words: string) => (d: { readonly source: string | null; readonly destination: string | null }) =>
  say`${who(d.source)} ${words} ${who(d.destination)}`

const tgbtcMint = (d: Details<'tgbtc_mint'>) =>
  say`${who(d.destination)} received ${some(d.amount, d.asset)} for Bitcoin`

const tgbtcBurn = (d: Details<'tgbtc_burn'>) =>
  say`${who(d.source)} burnt ${some(d.amount, d.asset)} to be paid in Bitcoin`

/** Logs alone name no asset: an amount without one would read as TON. */
const tgbtcMintLog = (d: Details<'tgbtc_mint_fallback'>) =>
  d.destination === null
    ? say`A contract logged that tgBTC was made for Bitcoin`
    : say`${who(d.destination)} received tgBTC for Bitcoin`

const tgbtcBurnLog = () => say`A contract logged that tgBTC was burnt to be paid in Bitcoin`

const tgbtcKey = (d: Details<'tgbtc_new_key'>) =>
  say`${who(d.source)} moved the funds to a new key of ${who(d.coordinator)}`

export const protocolSentences: Templates<ProtocolType> = {
  // What a refused swap gave is not what was wanted, and the request may have named another recipient.
  jetton_swap: sayOne(
    'Swap',
    ({ sender, dex, dex_incoming_transfer: paid, dex_outgoing_transfer: got }) =>
      say`${who(sender)} swapped ${some(paid.amount, paid.asset)} for ${some(got.amount, got.asset)}${!got.destination || got.destination === sender ? '' : say` to ${who(got.destination)}`}${via(dex)}`,
  ),
  dex_deposit_liquidity: sayOne(
    'Liquidity added',
    (d) =>
      say`${who(d.source)} put ${sides(d, 'liquidity')} into ${who(d.pool ?? d.destination_liquidity)}${via(d.dex)}`,
  ),
  dex_withdraw_liquidity: sayOne(
    'Liquidity withdrawn',
    (d) => say`${who(d.source)} took ${sides(d, 'liquidity')} out of ${who(d.pool)}${via(d.dex)}`,
  ),
  dedust_v2_claim_fees: sayOne(
    'Pool fees claimed',
    (d) => say`${who(d.source)} took fees of ${sides(d, 'nothing')} out of ${who(d.pool)}${via(d.dex)}`,
  ),
  dedust_v2_claim_reward: sayOne(
    'Pool reward claimed',
    (d) => say`${who(d.source)} received the reward ${some(d.amount, d.asset)} of ${who(d.pool)}${via(d.dex)}`,
  ),
  tonco_deploy_pool: sayOne('Pool deployed', (d) => say`${who(d.source)} created the pool ${who(d.pool)}`),

  coffee_create_vault: sayOne('Vault created', (d) => say`${who(d.source)} created the vault ${who(d.vault)}`),
  coffee_create_pool_creator: sayOne(
    'Pool prepared',
    (d) => say`${who(d.source)} prepared a pool with ${some(d.amount, d.provided_asset)}`,
  ),
  coffee_create_pool: sayOne(
    'Pool created',
    (d) =>
      say`${who(d.source)} created the pool ${who(d.pool)} with ${some(d.amount_1, d.asset_1)} and ${some(d.amount_2, d.asset_2)}`,
  ),
  coffee_mev_protect_hold_funds: sayOne(
    'Funds held',
    (d) => say`${who(d.mev_contract)} holds ${some(d.amount, d.asset)} of ${who(d.source)} for a swap`,
  ),
  coffee_mev_protect_failed_swap: sayOne('Swap failed', () => ['A protected swap did not take place']),
  coffee_staking_deposit: sayOne(
    'Stake',
    (d) => say`${who(d.source)} staked ${some(d.amount, d.asset)} in ${who(d.pool)}`,
  ),
  coffee_staking_withdraw: sayOne(
    'Stake withdrawn',
    (d) => say`${who(d.source)} withdrew ${some(d.amount, d.asset)} from ${who(d.pool)}`,
  ),
  coffee_staking_claim_rewards: sayOne(
    'Reward claimed',
    (d) => say`${who(d.recipient)} received the reward ${some(d.amount, d.asset)} of ${who(d.pool)}`,
  ),

  evaa_supply: sayOne('Supplied', (d) => say`${who(d.source)} lent ${some(d.amount, d.asset)} to ${who(d.master)}`),
  evaa_withdraw: sayOne(
    'Withdrawn',
    (d) => say`${who(d.recipient)} took ${some(d.fail_reason ? null : d.amount, d.asset)} out of ${who(d.master)}`,
  ),
  evaa_liquidate: sayOne(
    'Liquidation',
    (d) =>
      say`${who(d.source)} paid off debt of ${who(d.borrower)} for ${some(d.fail_reason ? null : d.amount, d.collateral)}`,
  ),

  jvault_stake: sayOne('Stake', (d) => say`${who(d.source)} staked ${some(d.amount, d.asset)} in ${who(d.pool)}`),
  jvault_unstake: sayOne(
    'Stake withdrawn',
    (d) => say`${who(d.source)} withdrew ${some(d.amount, d.staking_asset ?? d.asset)} from ${who(d.pool)}`,
  ),
  jvault_unstake_request: sayOne(
    'Stake withdrawal requested',
    (d) => say`${who(d.source)} requested ${some(d.amount, d.staking_asset ?? d.asset)} from ${who(d.pool)}`,
  ),
  jvault_claim: sayOne('Reward claimed', (d) => say`${who(d.source)} received the rewards of ${who(d.pool)}`),

  layerzero_send: sayOne(
    'Bridge message',
    (d) => say`${who(d.initiator)} sent a message to chain ${String(d.layerzero_packet_data.dst_eid)}`,
  ),
  layerzero_send_tokens: sayOne(
    'Bridge transfer',
    (d) => say`${who(d.sender)} sent ${some(d.amount, d.asset)} to chain ${String(d.layerzero_packet_data.dst_eid)}`,
  ),
  layerzero_receive: sayOne(
    'Bridge message received',
    (d) => say`${who(d.oapp)} received a message from chain ${String(d.layerzero_packet_data.src_eid)}`,
  ),
  layerzero_commit_packet: sayOne(
    'Bridge message committed',
    (d) => say`${who(d.sender)} committed a message from chain ${String(d.layerzero_packet_data.src_eid)}`,
  ),
  layerzero_dvn_verify: sayOne(
    'Bridge message verified',
    (d) => say`${who(d.dvn)} verified message ${String(d.nonce)}`,
  ),

  tgbtc_mint: sayOne('tgBTC mint', tgbtcMint),
  tgbtc_mint_fallback: sayOne('tgBTC mint', tgbtcMintLog),
  tgbtc_burn: sayOne('tgBTC burn', tgbtcBurn),
  tgbtc_burn_fallback: sayOne('tgBTC burn', tgbtcBurnLog),
  tgbtc_new_key: sayOne('tgBTC key', tgbtcKey),
  tgbtc_new_key_fallback: sayOne('tgBTC key', tgbtcKey),
  tgbtc_dkg_log_fallback: sayOne('tgBTC key log', (d) => say`${who(d.coordinator)} agreed on a new key`),

  cocoon_worker_payout: sayOne(
    'Worker paid',
    (d) => say`${who(d.source)} paid ${ton(d.amount)} to the worker ${who(d.destination)}`,
  ),
  cocoon_proxy_payout: sayOne('Proxy paid', cocoon('was paid out by')),
  cocoon_proxy_charge: sayOne('Client charged', cocoon('charged')),
  cocoon_grant_refund: sayOne(
    'Refund',
    (d) => say`${who(d.source)} refunded ${ton(d.amount)} to ${who(d.destination)}`,
  ),
  cocoon_client_top_up: sayOne(
    'Top-up',
    (d) => say`${who(d.source)} topped ${who(d.destination)} up by ${ton(d.amount)}`,
  ),
  cocoon_register_proxy: sayOne('Proxy registered', (d) => say`A proxy was registered with ${who(d.destination)}`),
  cocoon_unregister_proxy: sayOne('Proxy removed', (d) => say`A proxy was removed from ${who(d.destination)}`),
  cocoon_client_register: sayOne('Client registered', cocoon('registered with')),
  cocoon_client_change_secret_hash: sayOne('Secret changed', cocoon('changed the secret of')),
  cocoon_client_request_refund: sayOne('Refund requested', cocoon('requested a refund from')),
  cocoon_client_increase_stake: sayOne(
    'Stake increased',
    (d) => say`${who(d.source)} raised the stake of ${who(d.destination)} to ${ton(d.new_stake)}`,
  ),
  cocoon_client_withdraw: sayOne(
    'Withdrawal',
    (d) => say`${who(d.source)} withdrew ${ton(d.withdraw_amount)} from ${who(d.destination)}`,
  ),
}
