import { z } from 'zod'
import { listedWords } from '../../listedWords.ts'
import { method } from '../../method.ts'
import { cursorPage, RULE } from '../../page.ts'
import { AccountFilter, isStorable } from '../filters.ts'
import { bookPageFields, nextField, sideExample, sideFields } from '../sideObjects.ts'
import { Base64Hash, Digits, RawAddress, readsV3 } from '../values.ts'
import { NFTItem } from './item.ts'
import { tokenExamples } from './parts.ts'

const group = 'dns'

const MOST_BY_DEFAULT = 100
const NAME_LENGTH = 1024

const DNSRecord = z
  .object({
    nft_item_address: RawAddress.describe('Contract of the name.'),
    nft_item_owner: RawAddress.nullable().describe('Owner; null until its first auction is settled.'),
    domain: z.string().describe('Full name, such as `foundation.ton`.'),
    dns_next_resolver: RawAddress.nullable().describe('Contract that resolves subdomains; null for none.'),
    dns_wallet: RawAddress.nullable().describe('Account the name resolves to; null for none.'),
    dns_site_adnl: Base64Hash.nullable().describe('ADNL address of its site, base64; null for none.'),
    dns_storage_bag_id: Base64Hash.nullable().describe('Storage bag of its site, base64; null for none.'),
  })
  .meta({ id: 'DNSRecord' })

const DNSAuction = z
  .object({
    nft_item_address: RawAddress.describe('Contract of the name.'),
    domain: z.string().describe('Full name, such as `alice.ton`.'),
    max_bid_address: RawAddress.describe('Highest bidder.'),
    max_bid_amount: Digits.describe('Highest bid in nanotons.'),
    auction_end_time: Digits.nullable().describe('Unix seconds of the end; null when unknown.'),
    last_fill_up_time: Digits.nullable().describe('Unix seconds of the last renewal; null when unknown.'),
    finished: z.boolean().describe('True when the end has passed and the auction is not settled.'),
    nft_item: NFTItem.optional().describe('NFT item of the name; only with `include_nft_items`.'),
  })
  .meta({ id: 'DNSAuction' })

const STATES = ['all', 'won', 'bidding'] as const

const AuctionState = listedWords(
  z
    .string()
    .max(16)
    .transform((text, context): (typeof STATES)[number] => {
      const state = STATES.find((one) => one === (text === '' ? 'all' : text))
      if (state) return state
      context.addIssue({ code: 'custom', message: `state must be one of: ${STATES.join(', ')}`, params: RULE })
      return z.NEVER
    }),
  STATES,
  {
    id: 'AuctionState',
    description: '`won`: ended at the time of the newest block; `bidding`: the others; `all`: both.',
  },
)

const BIDDER_NEEDED = 'bidder address is required'

const { ITEM, OWNER } = tokenExamples

export const dnsV3 = {
  'v3.dns.records': method({
    summary: 'DNS records: of one name, or of all names that resolve to an account, shortest first.',
    description:
      'Exactly one of `wallet` and `domain` is required. dnsResolve runs the contracts of a name at the head of the chain; the names an account owns are in v3.nft.items.',
    group,
    params: z.strictObject({
      wallet: AccountFilter.optional().describe('Only names that resolve to this account.'),
      domain: z
        .string()
        .max(NAME_LENGTH)
        .refine(isStorable, 'domain has a character of code 0')
        .optional()
        .describe('Only this full name, such as `foundation.ton`.'),
      ...cursorPage({ byDefault: MOST_BY_DEFAULT }),
    }),
    result: z
      .object({
        records: z.array(DNSRecord).describe('Records of this page.'),
        ...bookPageFields,
      })
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
    summary: 'Unsettled auctions of names in which an account has the highest bid, by end time.',
    description:
      'For names to settle or to bid on again. What an auction did so far is in v3.actions, by the account of the bidder.',
    group,
    params: z.strictObject({
      bidder: AccountFilter.describe('Account with the highest bid.'),
      state: AuctionState.default('all').describe(
        '`won` for auctions that have ended, `bidding` for the others, or `all`.',
      ),
      include_nft_items: z.boolean().default(false).describe('Include `nft_item`.'),
      after: z.string().max(NAME_LENGTH).optional().describe('`next_cursor` of the previous page.'),
      ...cursorPage({ byDefault: MOST_BY_DEFAULT }),
    }),
    result: z
      .object({
        auctions: z.array(DNSAuction).describe('Auctions of this page.'),
        ...sideFields,
        next_cursor: z.string().nullable().describe('Value for `after`; null when the page was not full.'),
        ...nextField,
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
