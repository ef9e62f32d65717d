// Sales and auctions as rows: common fields are columns, the others JSON as it goes over the wire.

import type { Auction, Sale, Telemint } from '../../../contracts/index.ts'
import type { ContractRow, NftSaleRow } from '../../../store/index.ts'
import { int64, jsonAddress, jsonInt, keyOf, keyOrNull, withoutZeros } from './values.ts'

/** Undefined fields are left out of the JSON. */
type Details = Readonly<Record<string, string | number | boolean | undefined>>

const seller = ({ nft, nftOwner, marketplace, createdAt }: Sale | Auction) => ({
  nft: keyOf(nft),
  nftOwner: keyOrNull(nftOwner),
  marketplace: keyOrNull(marketplace),
  createdAt: int64(createdAt),
})

const row = (
  head: ContractRow,
  columns: Pick<NftSaleRow, 'kind' | 'nft' | 'nftOwner' | 'marketplace' | 'createdAt'>,
  details: Details,
): NftSaleRow => ({ details: JSON.stringify(details), ...head, ...columns })

export const saleRow = (head: ContractRow, facts: Sale): NftSaleRow =>
  row(
    head,
    { kind: 'sale', ...seller(facts) },
    {
      is_complete: facts.isComplete,
      full_price: String(facts.fullPrice),
      marketplace_fee_address: jsonAddress(facts.marketplaceFeeTo),
      marketplace_fee: String(facts.marketplaceFee),
      royalty_address: jsonAddress(facts.royaltyTo),
      royalty_amount: String(facts.royalty),
    },
  )

export const auctionRow = (head: ContractRow, facts: Auction): NftSaleRow =>
  row(
    head,
    { kind: 'auction', ...seller(facts) },
    {
      end_flag: facts.isEnded,
      end_time: jsonInt(facts.endTime),
      last_bid: String(facts.lastBid),
      last_member: jsonAddress(facts.lastMember),
      min_step: jsonInt(facts.minStep),
      mp_fee_address: jsonAddress(facts.marketplaceFee.to),
      mp_fee_factor: jsonInt(facts.marketplaceFee.factor),
      mp_fee_base: jsonInt(facts.marketplaceFee.base),
      royalty_fee_address: jsonAddress(facts.royalty.to),
      royalty_fee_factor: jsonInt(facts.royalty.factor),
      royalty_fee_base: jsonInt(facts.royalty.base),
      max_bid: String(facts.maxBid),
      min_bid: String(facts.minBid),
      last_bid_at: jsonInt(facts.lastBidAt),
      is_canceled: facts.isCanceled,
    },
  )

/** The auction contract is the item itself. */
export const telemintRow = (head: ContractRow, facts: Telemint): NftSaleRow =>
  row(
    head,
    { kind: 'telemint', nft: head.account, nftOwner: null, marketplace: null, createdAt: null },
    {
      token_name: withoutZeros(facts.tokenName),
      bidder_address: jsonAddress(facts.bidder),
      bid: String(facts.bid),
      bid_ts: String(facts.bidAt),
      min_bid: String(facts.minBid),
      end_time: jsonInt(facts.endTime),
      beneficiary_address: jsonAddress(facts.beneficiary),
      initial_min_bid: String(facts.initialMinBid),
      max_bid: String(facts.maxBid),
      min_bid_step: String(facts.minBidStep),
      min_extend_time: String(facts.minExtendTime),
      duration: String(facts.duration),
      royalty_numerator: jsonInt(facts.royalty.numerator),
      royalty_denominator: jsonInt(facts.royalty.denominator),
      royalty_destination: jsonAddress(facts.royalty.to),
    },
  )
