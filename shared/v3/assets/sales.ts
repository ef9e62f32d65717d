import { z } from 'zod'
import { method } from '../../method.ts'
import { AccountFilter, MOST_VALUES, ONE_ADDRESS_NEEDED } from '../filters.ts'
import { sideExample, sideFields } from '../sideObjects.ts'
import { Base64Hash, Digits, RawAddress, readsV3 } from '../values.ts'
import { NFTItem, nftExamples } from './item.ts'
import { contractExample, tokenExamples } from './parts.ts'

const sale = {
  is_complete: z.boolean().describe('True when the item is sold or the sale cancelled.'),
  full_price: Digits.describe('Price in nanotons, fees included.'),
  marketplace_fee_address: RawAddress.describe('Receiver of the marketplace fee.'),
  marketplace_fee: Digits.describe('Marketplace fee in nanotons.'),
  royalty_address: RawAddress.describe('Receiver of the royalty.'),
  royalty_amount: Digits.describe('Royalty in nanotons.'),
}

const auction = {
  end_flag: z.boolean().describe('True when the auction has ended.'),
  end_time: z.int().describe('Unix seconds of the end.'),
  last_bid: Digits.describe('Highest bid in nanotons; 0 for none.'),
  last_member: RawAddress.describe('Highest bidder.'),
  min_step: z.int().describe('Smallest raise, in percent.'),
  mp_fee_address: RawAddress.describe('Receiver of the marketplace fee.'),
  mp_fee_factor: z.int().describe('Numerator of the marketplace fee.'),
  mp_fee_base: z.int().describe('Denominator of the marketplace fee.'),
  royalty_fee_address: RawAddress.describe('Receiver of the royalty.'),
  royalty_fee_factor: z.int().describe('Numerator of the royalty.'),
  royalty_fee_base: z.int().describe('Denominator of the royalty.'),
  max_bid: Digits.describe('Bid in nanotons that ends the auction; 0 for none.'),
  min_bid: Digits.describe('Smallest bid in nanotons.'),
  last_bid_at: z.int().describe('Unix seconds of the highest bid.'),
  is_canceled: z.boolean().describe('True when the auction was cancelled.'),
}

const telemint = {
  token_name: z.string().describe('Name or number in auction.'),
  bidder_address: RawAddress.describe('Highest bidder.'),
  bid: Digits.describe('Highest bid in nanotons.'),
  bid_ts: Digits.describe('Unix seconds of the highest bid.'),
  min_bid: Digits.describe('Smallest next bid in nanotons.'),
  end_time: z.int().describe('Unix seconds of the end.'),
  beneficiary_address: RawAddress.describe('Receiver of the price.'),
  initial_min_bid: Digits.describe('First smallest bid in nanotons.'),
  max_bid: Digits.describe('Bid in nanotons that ends the auction; 0 for none.'),
  min_bid_step: Digits.describe('Smallest raise, in percent.'),
  min_extend_time: Digits.describe('Seconds added by a late bid.'),
  duration: Digits.describe('Seconds the auction lasts.'),
  royalty_numerator: z.int().describe('Numerator of the royalty.'),
  royalty_denominator: z.int().describe('Denominator of the royalty.'),
  royalty_destination: RawAddress.describe('Receiver of the royalty.'),
}

const NFTSale = z
  .object({
    type: z
      .enum(['getgems_sale', 'getgems_auction', 'telemint'])
      .describe('Kind of contract; it decides the fields of `details`.'),
    address: RawAddress.describe('Sale contract; for `telemint` the item itself.'),
    nft_address: RawAddress.optional().describe('Item on sale.'),
    nft_owner_address: RawAddress.optional().describe('Seller.'),
    marketplace_address: RawAddress.optional().describe('Marketplace contract.'),
    created_at: z.int().optional().describe('Unix seconds of creation.'),
    last_transaction_lt: Digits.optional().describe('Logical time of the newest transaction.'),
    code_hash: Base64Hash.optional().describe('Hash of the code cell.'),
    data_hash: Base64Hash.optional().describe('Hash of the data cell.'),
    details: z
      .object({ ...telemint, ...auction, ...sale })
      .partial()
      .meta({ id: 'NFTSaleDetails', description: 'Price or bids; which fields are present depends on `type`.' })
      .describe('Price or bids; fields depend on `type`.'),
    nft_item: NFTItem.optional().describe('Item on sale; absent when not indexed.'),
  })
  .meta({ id: 'NFTSale' })

const { ITEM, OTHER, OWNER, SALE } = tokenExamples

export const salesV3 = {
  'v3.nft.sales': method({
    summary: 'Sale contracts: fixed price, then auctions, then Telegram name auctions.',
    description:
      'For the price of an item pass its `sale_contract_address` or `auction_contract_address` of v3.nft.items. For past sales use v3.actions.',
    group: 'nfts',
    params: z.strictObject({
      address: z
        .array(AccountFilter)
        .min(1, ONE_ADDRESS_NEEDED)
        .max(MOST_VALUES, `maximum ${MOST_VALUES} addresses allowed`)
        .meta({ description: 'Sale or auction contracts; others are left out.' }),
    }),
    result: z
      .object({
        nft_sales: z.array(NFTSale).describe('Sales, auctions, then Telegram names.'),
        ...sideFields,
      })
      .meta({ id: 'NFTSalesResponse' }),
    rest: readsV3('nft/sales'),
    freshness: 'index',
    emptyIsAbsent: true,
    whenMissing: { kind: 'invalidParams', words: { address: ONE_ADDRESS_NEEDED } },
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
