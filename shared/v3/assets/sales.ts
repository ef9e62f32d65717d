import { z } from 'zod'
import { method } from '../../method.ts'
import { AccountFilter, MOST_VALUES } from '../filters.ts'
import { AddressBook, Metadata, sideExample } from '../sideObjects.ts'
import { Base64Hash, Digits, RawAddress, readsV3 } from '../values.ts'
import { NFTItem, nftExamples } from './item.ts'
import { contractExample, tokens } from './parts.ts'

const NEEDED = 'at least 1 address required'

const sale = {
  is_complete: z.boolean(),
  full_price: Digits,
  marketplace_fee_address: RawAddress,
  marketplace_fee: Digits,
  royalty_address: RawAddress,
  royalty_amount: Digits,
}

const auction = {
  end_flag: z.boolean(),
  end_time: z.int(),
  last_bid: Digits,
  last_member: RawAddress,
  min_step: z.int(),
  mp_fee_address: RawAddress,
  mp_fee_factor: z.int(),
  mp_fee_base: z.int(),
  royalty_fee_address: RawAddress,
  royalty_fee_factor: z.int(),
  royalty_fee_base: z.int(),
  max_bid: Digits,
  min_bid: Digits,
  last_bid_at: z.int(),
  is_canceled: z.boolean(),
}

const telemint = {
  token_name: z.string(),
  bidder_address: RawAddress,
  bid: Digits,
  bid_ts: Digits,
  min_bid: Digits,
  end_time: z.int(),
  beneficiary_address: RawAddress,
  initial_min_bid: Digits,
  max_bid: Digits,
  min_bid_step: Digits,
  min_extend_time: Digits,
  duration: Digits,
  royalty_numerator: z.int(),
  royalty_denominator: z.int(),
  royalty_destination: RawAddress,
}

const NFTSale = z
  .object({
    type: z.enum(['getgems_sale', 'getgems_auction', 'telemint']),
    address: RawAddress.meta({ description: 'The contract that sells; of `telemint` the item itself.' }),
    nft_address: RawAddress.optional(),
    nft_owner_address: RawAddress.optional().meta({ description: 'Whom it is sold for.' }),
    marketplace_address: RawAddress.optional(),
    created_at: z.int().optional(),
    last_transaction_lt: Digits.optional(),
    code_hash: Base64Hash.optional(),
    data_hash: Base64Hash.optional(),
    details: z
      .object({ ...telemint, ...auction, ...sale })
      .partial()
      .meta({ id: 'NFTSaleDetails', description: 'What is known of a price, an auction, or a name in auction.' }),
    nft_item: NFTItem.optional(),
  })
  .meta({ id: 'NFTSale' })

const { ITEM, OTHER, OWNER, SALE } = tokens

export const sales = {
  'v3.nft.sales': method({
    summary: 'What some contracts sell: for a price first, then by auction, then names in auction.',
    group: 'nfts',
    params: z.strictObject({
      address: z
        .array(AccountFilter)
        .min(1, NEEDED)
        .max(MOST_VALUES, `maximum ${MOST_VALUES} addresses allowed`)
        .meta({ description: 'Contracts that sell; others are left out.' }),
    }),
    result: z
      .object({ nft_sales: z.array(NFTSale), address_book: AddressBook, metadata: Metadata })
      .meta({ id: 'NFTSalesResponse' }),
    rest: readsV3('nft/sales'),
    freshness: 'index',
    emptyIsAbsent: true,
    whenMissing: { kind: 'invalidParams', words: { address: NEEDED } },
    example: {
      params: { address: [SALE] },
      result: {
        nft_sales: [
          {
            type: 'getgems_sale',
            address: SALE,
            nft_address: ITEM,
            nft_owner_address: OWNER,
            marketplace_address: OTHER,
            created_at: 1754158100,
            ...contractExample,
            details: {
              is_complete: false,
              full_price: '10000000000',
              marketplace_fee_address: OTHER,
              marketplace_fee: '500000000',
              royalty_address: OTHER,
              royalty_amount: '0',
            },
            nft_item: nftExamples.item,
          },
        ],
        ...sideExample,
      },
    },
  }),
}
