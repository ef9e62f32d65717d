// Names and their auctions as v3 writes them.

import { toDigits } from '../../../../../shared/primitives.ts'
import type { Result } from '../../../../../shared/registry.ts'
import type { dnsV3 } from '../../../../../shared/v3/assets/dns.ts'
import type { AccountKey, DnsRecordRow, NftItemFound } from '../../../../store/index.ts'
import { rawOfKey } from '../../../keyOfAccount.ts'
import { base64OrNull, digitsOrNull, rawOrNull } from './fields.ts'
import { toNftItem } from './nft.ts'

type Methods = typeof dnsV3
type OnWire = Result<Methods['v3.dns.records']>['records'][number]
type Auction = Result<Methods['v3.dns.activeAuctions']>['auctions'][number]

export const toDnsRecord = (row: DnsRecordRow): OnWire => ({
  nft_item_address: rawOfKey(row.account),
  nft_item_owner: rawOrNull(row.owner),
  domain: row.domain,
  dns_next_resolver: rawOrNull(row.nextResolver),
  dns_wallet: rawOrNull(row.wallet),
  dns_site_adnl: base64OrNull(row.siteAdnl),
  dns_storage_bag_id: base64OrNull(row.storageBag),
})

export interface AuctionFound {
  readonly row: DnsRecordRow
  readonly bidder: AccountKey
  /** When it was requested and is known. */
  readonly item: NftItemFound | undefined
}

/** Its state at `now`, unix seconds. */
export const toDnsAuction = ({ row, bidder, item }: AuctionFound, now: number): Auction => ({
  nft_item_address: rawOfKey(row.account),
  domain: row.domain,
  max_bid_address: rawOfKey(bidder),
  max_bid_amount: toDigits(row.maxBid ?? 0n),
  auction_end_time: digitsOrNull(row.auctionEnd),
  last_fill_up_time: digitsOrNull(row.lastFillUp),
  finished: row.auctionEnd !== null && row.auctionEnd <= BigInt(now),
  ...(item === undefined ? {} : { nft_item: toNftItem(item) }),
})
