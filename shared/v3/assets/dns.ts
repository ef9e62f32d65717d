import { z } from 'zod'
import { method } from '../../method.ts'
import { cursorPage, NextCursor, RULE } from '../../page.ts'
import { AccountFilter, isStorable } from '../filters.ts'
import { AddressBook, Metadata, sideExample } from '../sideObjects.ts'
import { Base64Hash, Digits, RawAddress, readsV3 } from '../values.ts'
import { NFTItem } from './item.ts'
import { tokens } from './parts.ts'

const group = 'dns'

const MOST_BY_DEFAULT = 100
const NAME_LENGTH = 1024

const DNSRecord = z
  .object({
    nft_item_address: RawAddress,
    nft_item_owner: RawAddress.nullable().meta({ description: 'Null until its first auction is settled.' }),
    domain: z.string(),
    dns_next_resolver: RawAddress.nullable(),
    dns_wallet: RawAddress.nullable(),
    dns_site_adnl: Base64Hash.nullable(),
    dns_storage_bag_id: Base64Hash.nullable(),
  })
  .meta({ id: 'DNSRecord' })

const DNSAuction = z
  .object({
    nft_item_address: RawAddress,
    domain: z.string(),
    max_bid_address: RawAddress,
    max_bid_amount: Digits,
    auction_end_time: Digits.nullable(),
    last_fill_up_time: Digits.nullable(),
    finished: z.boolean().meta({ description: 'Its end has passed; it waits to be settled.' }),
    nft_item: NFTItem.optional(),
  })
  .meta({ id: 'DNSAuction' })

const STATES = ['all', 'won', 'bidding'] as const

const AuctionState = z
  .string()
  .max(16)
  .transform((text, context): (typeof STATES)[number] => {
    const state = STATES.find((one) => one === (text === '' ? 'all' : text))
    if (state) return state
    context.addIssue({ code: 'custom', message: `state must be one of: ${STATES.join(', ')}`, params: RULE })
    return z.NEVER
  })
  .meta({
    id: 'AuctionState',
    description: '`won` for those whose end has passed when the last block was made, `bidding` for the others; `all`.',
  })

const BIDDER_NEEDED = 'bidder address is required'

const { ITEM, OWNER } = tokens

export const dns = {
  'v3.dns.records': method({
    summary: 'Where names lead: those that lead to a wallet, the shortest first, or one of them.',
    group,
    params: z.strictObject({
      wallet: AccountFilter.optional(),
      domain: z
        .string()
        .max(NAME_LENGTH)
        .refine(isStorable, 'domain has a character of code 0')
        .optional()
        .meta({ description: 'The whole name as it is written, such as `foundation.ton`.' }),
      ...cursorPage({ byDefault: MOST_BY_DEFAULT }),
    }),
    result: z
      .object({ records: z.array(DNSRecord), address_book: AddressBook, cursor: NextCursor })
      .meta({ id: 'DNSRecordsResponse' }),
    rest: readsV3('dns/records'),
    freshness: 'index',
    emptyIsAbsent: true,
    paged: true,
    example: {
      params: { domain: 'foundation.ton' },
      result: {
        records: [
          {
            nft_item_address: ITEM,
            nft_item_owner: OWNER,
            domain: 'foundation.ton',
            dns_next_resolver: null,
            dns_wallet: OWNER,
            dns_site_adnl: 'YcuUapMh91VIQLSD5JVVOxWSOWOD0H68HmBQ5SZx+c8=',
            dns_storage_bag_id: null,
          },
        ],
        address_book: sideExample.address_book,
        cursor: null,
      },
    },
  }),

  'v3.dns.activeAuctions': method({
    summary: 'Auctions of names in which somebody bids the most and which are not settled, by when they end.',
    group,
    params: z.strictObject({
      bidder: AccountFilter,
      state: AuctionState.default('all'),
      include_nft_items: z.boolean().default(false),
      after: z.string().max(NAME_LENGTH).optional().meta({ description: '`next_cursor` of the page before this one.' }),
      ...cursorPage({ byDefault: MOST_BY_DEFAULT }),
    }),
    result: z
      .object({
        auctions: z.array(DNSAuction),
        address_book: AddressBook,
        metadata: Metadata,
        next_cursor: z.string().nullable().meta({ description: 'For `after`; null when the page was not full.' }),
        cursor: NextCursor,
      })
      .meta({ id: 'DNSAuctionsResponse' }),
    rest: readsV3('dns/activeAuctions'),
    freshness: 'index',
    emptyIsAbsent: true,
    paged: true,
    whenMissing: { kind: 'invalidParams', words: { bidder: BIDDER_NEEDED }, orEmpty: true },
    example: {
      params: { bidder: OWNER },
      result: {
        auctions: [
          {
            nft_item_address: ITEM,
            domain: 'alice.ton',
            max_bid_address: OWNER,
            max_bid_amount: '105000000000',
            auction_end_time: '1783190000',
            last_fill_up_time: '1782580000',
            finished: true,
          },
        ],
        ...sideExample,
        next_cursor: null,
        cursor: null,
      },
    },
  }),
}
