// Transfers, calls, jettons, NFTs, domains, stakes, and what wallets of several people do.

import type { ActionDetails } from '../../../shared/v3/action.ts'
import { currencyWords } from '../parts/currencyWords.ts'
import {
  comment,
  type Details,
  forTon,
  item,
  type Part,
  type ProtocolType,
  say,
  sayOne,
  some,
  type Templates,
  ton,
  via,
  who,
  withTon,
} from './say.ts'

const called = ({ opcode, destination = null }: Details<'call_contract'>): readonly Part[] =>
  opcode ? [{ opcode, of: destination }, ' of '] : []

/** One message can add a thousand. */
const MOST_NAMED = 5

const several = (accounts: readonly string[]): readonly Part[] => {
  if (accounts.length === 0) return ['no further account']
  const more = accounts.length - MOST_NAMED
  const named = accounts.slice(0, MOST_NAMED).flatMap((one, at) => [at === 0 ? '' : ', ', who(one)])
  return more > 0 ? [...named, ` and ${more} more`] : named
}

const currencies = (d: Details<'extra_currency_transfer'>): string =>
  currencyWords(d.value_extra_currencies ?? d.extra_currencies) ?? 'other currencies'

const purchase = (d: Details<'nft_transfer'>) =>
  d.is_purchase
    ? say`${who(d.new_owner)} bought ${item(d)} from ${who(d.real_old_owner ?? d.old_owner)}${forTon(d.price)}${via(d.marketplace)}`
    : say`${who(d.old_owner)} sent ${item(d)} to ${who(d.new_owner)}${comment(d.comment, d.is_encrypted_comment)}`

const ended = (words: string) => (d: Details<'nft_cancel_auction'>) =>
  say`The auction of ${item(d)}${via(d.marketplace)} ${words}: it belongs to ${who(d.owner)}`

const auction = (d: Details<'nft_put_on_auction'>) =>
  say`${who(d.owner)} put ${item(d)} up for auction${via(d.marketplace)}, from ${ton(d.min_bid)}`

export const assetSentences: Templates<Exclude<keyof ActionDetails, ProtocolType>> = {
  ton_transfer: sayOne(
    'Transfer',
    (d) => say`${who(d.source)} sent ${ton(d.value)} to ${who(d.destination)}${comment(d.comment, d.encrypted)}`,
  ),
  extra_currency_transfer: sayOne(
    'Currency transfer',
    (d) =>
      say`${who(d.source)} sent ${currencies(d)} to ${who(d.destination)}${withTon(d.value)}${comment(d.comment, d.encrypted)}`,
  ),
  call_contract: sayOne(
    'Call',
    (d) => say`${who(d.source)} called ${called(d)}${who(d.destination)}${withTon(d.value)}`,
  ),
  contract_deploy: sayOne('Deploy', (d) => say`${who(d.source)} deployed ${who(d.destination)}${withTon(d.value)}`),
  tick_tock: sayOne('Tick-tock', (d) => say`The chain ran ${who(d.account)}`),
  unknown: sayOne('Unknown', () => ['Something this service has no name for']),
  gasless_request: sayOne(
    'Gasless request',
    (d) => say`${who(d.source)} brought a request of ${who(d.destination)}${withTon(d.value)} for its fees`,
  ),
  change_wallet_key: sayOne('Key change', (d) => say`${who(d.source)} changed the key of ${who(d.destination)}`),
  election_deposit: sayOne(
    'Stake for an election',
    (d) => say`${who(d.stake_holder)} staked ${ton(d.amount)} in an election of validators`,
  ),
  election_recover: sayOne('Stake returned', (d) =>
    d.amount === undefined
      ? say`${who(d.stake_holder)} requested its stake from the elector`
      : say`${who(d.stake_holder)} took back ${ton(d.amount)} from the elector`,
  ),
  subscribe: sayOne(
    'Subscription',
    (d) => say`${who(d.subscriber)} subscribed to ${who(d.beneficiary ?? d.subscription)}${forTon(d.amount)}`,
  ),
  unsubscribe: sayOne(
    'Subscription ended',
    (d) => say`${who(d.subscriber)} ended the subscription ${who(d.subscription)}`,
  ),

  jetton_transfer: sayOne(
    'Jetton transfer',
    (d) =>
      say`${who(d.sender)} sent ${some(d.amount, d.asset)} to ${who(d.receiver)}${comment(d.comment, d.is_encrypted_comment)}`,
  ),
  jetton_burn: sayOne('Jetton burn', (d) => say`${who(d.owner)} burnt ${some(d.amount, d.asset)}`),
  jetton_mint: sayOne('Jetton mint', (d) => say`${some(d.amount, d.asset)} was minted for ${who(d.receiver)}`),

  nft_transfer: sayOne('NFT transfer', purchase),
  nft_purchase: sayOne('NFT purchase', (d) => purchase({ ...d, is_purchase: true })),
  nft_mint: sayOne('NFT mint', (d) => say`${who(d.owner)} minted ${item(d)}`),
  nft_discovery: sayOne('NFT query', (d) => say`${who(d.source)} asked ${item(d)} for its owner`),
  nft_put_on_sale: sayOne(
    'NFT sale',
    (d) => say`${who(d.owner)} put ${item(d)} on sale${forTon(d.full_price)}${via(d.marketplace)}`,
  ),
  nft_put_on_auction: sayOne('NFT auction', auction),
  nft_update_sale: sayOne(
    'NFT price change',
    (d) =>
      say`${who(d.source)} changed the price of ${item({ nft_item: d.nft_address })} to ${ton(d.full_price)}${via(d.marketplace)}`,
  ),
  nft_cancel_sale: sayOne(
    'NFT sale cancelled',
    (d) => say`${who(d.owner)} took ${item(d)} off sale${via(d.marketplace)}`,
  ),
  nft_cancel_auction: sayOne('NFT auction cancelled', ended('was cancelled')),
  nft_finish_auction: sayOne('NFT auction ended', ended('ended')),
  teleitem_start_auction: sayOne('Name auction', auction),
  teleitem_cancel_auction: sayOne('Name auction cancelled', ended('was cancelled')),
  auction_bid: sayOne('Bid', (d) => say`${who(d.bidder)} bid ${ton(d.amount)} for ${item(d)}`),
  auction_outbid: sayOne(
    'Bid returned',
    (d) => say`${who(d.bidder)} was outbid for ${item(d)} and got back ${ton(d.amount)}`,
  ),

  change_dns: sayOne('Domain record', (d) => say`${who(d.source)} changed a record of ${item({ nft_item: d.asset })}`),
  delete_dns: sayOne(
    'Domain record deleted',
    (d) => say`${who(d.source)} deleted a record of ${item({ nft_item: d.asset })}`,
  ),
  renew_dns: sayOne('Domain renewed', (d) => say`${who(d.source)} renewed ${item({ nft_item: d.asset })}`),
  dns_release: sayOne(
    'Domain released',
    (d) => say`${who(d.source)} put the expired domain ${item(d)} up for auction again`,
  ),
  dns_purchase: sayOne('Domain bought', (d) => say`${who(d.new_owner)} won ${item(d)}${forTon(d.price)}`),

  stake_deposit: sayOne(
    'Stake',
    (d) => say`${who(d.stake_holder)} staked ${some(d.amount, d.source_asset)} in ${who(d.pool)}`,
  ),
  stake_withdrawal: sayOne(
    'Stake withdrawn',
    (d) => say`${who(d.stake_holder)} received ${ton(d.amount)} from ${who(d.pool)}`,
  ),
  stake_withdrawal_request: sayOne(
    'Stake withdrawal requested',
    (d) => say`${who(d.stake_holder)} requested the stake in ${who(d.pool)}`,
  ),

  multisig_create_order: sayOne(
    'Multisig order',
    (d) => say`${who(d.source)} proposed order ${d.order_seqno} of ${who(d.destination)}`,
  ),
  multisig_approve: sayOne('Multisig approval', (d) => say`${who(d.source)} approved the order ${who(d.destination)}`),
  multisig_execute: sayOne('Multisig execution', (d) => say`${who(d.destination)} carried out order ${d.order_seqno}`),
  vesting_send_message: sayOne(
    'Vesting transfer',
    (d) => say`${who(d.source)} sent ${ton(d.amount)} from ${who(d.vesting)} to ${who(d.destination)}`,
  ),
  vesting_add_whitelist: sayOne(
    'Vesting whitelist',
    (d) => say`${who(d.source)} allowed ${who(d.vesting)} to pay to ${several(d.accounts_added)}`,
  ),
}
