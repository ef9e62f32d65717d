// Domain names by the wallet they lead to, and their auctions.

import { sql } from '../../sql.ts'
import type { AccountKey } from '../../tables/column.ts'
import { contractTables, type DnsRecordRow } from '../../tables/contracts.ts'
import { byBytes, byNumber, byText, type RowOrder } from '../order.ts'
import type { PagedRead, PageRequest } from '../page.ts'
import { type ListedRead, listRead } from './list.ts'

const { dnsRecords } = contractTables

const RECORDS = { table: dnsRecords, key: 'account', leads: [], accounts: ['account', 'owner', 'wallet'] } as const

/** Names that lead to a wallet, or one name. */
export type DnsFilter = { readonly wallet: AccountKey } | { readonly domain: string }

/** The shortest names first. */
const BY_NAME: RowOrder = [byNumber('domain_length', 'asc'), byText('domain', 'asc'), byBytes('account', 'asc')]

export function dnsRecordsRead(filter: DnsFilter, request: PageRequest): ListedRead<DnsRecordRow> {
  const is = 'wallet' in filter ? sql`t.wallet = ${filter.wallet}` : sql`t.domain = ${filter.domain}`
  return listRead({ ...RECORDS, order: BY_NAME, conditions: [is], isSteady: true }, request)
}

export interface AuctionFilter {
  /** Of the highest bid. */
  readonly bidder: AccountKey
  /** Only auctions that end after that time, or until then. */
  readonly ends?: { readonly after: number } | { readonly until: number } | undefined
}

const BY_END: RowOrder = [byNumber('auction_end', 'asc'), byBytes('account', 'asc')]

/** Auctions that are not settled, by when they end. */
export function dnsAuctionsRead({ bidder, ends }: AuctionFilter, request: PageRequest): PagedRead<DnsRecordRow> {
  const conditions = [sql`t.max_bidder = ${bidder}`, sql`t.auction_end is not null`]
  if (ends !== undefined)
    conditions.push('after' in ends ? sql`t.auction_end > ${ends.after}` : sql`t.auction_end <= ${ends.until}`)
  return listRead({ ...RECORDS, order: BY_END, conditions }, request)
}
