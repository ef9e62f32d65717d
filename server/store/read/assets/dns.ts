// Domain names by where they lead, and the auctions they are won in.

import type { DnsRecordRow } from '../../assetRows.ts'
import type { Row } from '../../database.ts'
import type { AccountKey } from '../../rows.ts'
import { sql } from '../../sql.ts'
import { byBytes, byNumber, byText, type Order } from '../order.ts'
import type { PageAsk, PagedRead } from '../page.ts'
import { listRead } from './list.ts'

const COLUMNS = sql.raw(`t.account, t.domain, t.domain_length, t.owner, t.wallet, t.next_resolver, t.site_adnl,
  t.storage_bag, t.max_bidder, t.max_bid, t.auction_end, t.last_fill_up, t.last_tx_lt`)

// The casts: the columns above are of these types.
const recordOf = (row: Row): DnsRecordRow => ({
  account: row.account as AccountKey,
  domain: row.domain as string,
  owner: row.owner as AccountKey | null,
  wallet: row.wallet as AccountKey | null,
  nextResolver: row.next_resolver as AccountKey | null,
  siteAdnl: row.site_adnl as Uint8Array | null,
  storageBag: row.storage_bag as Uint8Array | null,
  maxBidder: row.max_bidder as AccountKey | null,
  maxBid: row.max_bid as bigint | null,
  auctionEnd: row.auction_end as bigint | null,
  lastFillUp: row.last_fill_up as bigint | null,
  lastTxLt: row.last_tx_lt as bigint,
})

const RECORDS = { table: 'dns_records', key: 'account', columns: COLUMNS, leads: [], toValue: recordOf } as const

/** Names that lead to a wallet, or the one name there is. */
export type DnsFilter = { readonly wallet: AccountKey } | { readonly domain: string }

/** The shortest names first. */
const BY_NAME: Order = [byNumber('domain_length', 'asc'), byText('domain', 'asc'), byBytes('account', 'asc')]

export function dnsRecordsRead(filter: DnsFilter, ask: PageAsk): PagedRead<DnsRecordRow> {
  const is = 'wallet' in filter ? sql`t.wallet = ${filter.wallet}` : sql`t.domain = ${filter.domain}`
  return listRead({ ...RECORDS, order: BY_NAME, conditions: [is] }, ask)
}

export interface AuctionFilter {
  /** Who bids the most so far. */
  readonly bidder: AccountKey
  /** Only those that end later than that, or those that do not. */
  readonly ends?: { readonly after: number } | { readonly until: number } | undefined
}

const BY_END: Order = [byNumber('auction_end', 'asc'), byBytes('account', 'asc')]

/** Auctions that are not settled, by when they end. */
export function dnsAuctionsRead({ bidder, ends }: AuctionFilter, ask: PageAsk): PagedRead<DnsRecordRow> {
  const conditions = [sql`t.max_bidder = ${bidder}`, sql`t.auction_end is not null`]
  if (ends !== undefined)
    conditions.push('after' in ends ? sql`t.auction_end > ${ends.after}` : sql`t.auction_end <= ${ends.until}`)
  return listRead({ ...RECORDS, order: BY_END, conditions }, ask)
}
