import { z } from 'zod'
import { method } from '../../method.ts'
import { cursorPage, MaybeSort, RULE, Sort } from '../../page.ts'
import { AccountFilter, AccountList, MOST_VALUES } from '../filters.ts'
import { sideExample, sidePageFields } from '../sideObjects.ts'
import { Digits, RawAddress, readsV3 } from '../values.ts'
import { NFTCollection, NFTItem, nftExamples } from './item.ts'
import {
  commentExample,
  eventExample,
  eventFields,
  eventFilters,
  forwardFields,
  TransferDirection,
  tokenExamples,
} from './parts.ts'

const group = 'nfts'

const side = { ...sidePageFields }
const sides = { ...sideExample, cursor: null }

const NFTTransfer = z
  .object({
    ...eventFields,
    nft_address: RawAddress.describe('Item contract.'),
    nft_collection: RawAddress.nullable().describe('Collection; null for a single item.'),
    old_owner: RawAddress.describe('Account that requested the transfer.'),
    new_owner: RawAddress.describe('Owner after the transfer.'),
    forward_amount: Digits.nullable().describe('Nanotons forwarded to the new owner; null when unreadable.'),
    ...forwardFields,
  })
  .meta({ id: 'NFTTransfer' })

/** As long as a number of 256 bits. */
const INDEX_LENGTH = 78

const ItemIndex = z
  .string()
  .max(INDEX_LENGTH)
  .transform((text, context): bigint => {
    if (/^\d+$/.test(text)) return BigInt(text)
    context.addIssue({ code: 'custom', message: 'index should contain digits only', params: RULE })
    return z.NEVER
  })
  .meta({ id: 'ItemIndex', format: 'digits', pattern: '^\\d+$', description: 'Decimal digits.' })

const { COLLECTION, ITEM, OWNER, OTHER } = tokenExamples

export const nftsV3 = {
  'v3.nft.collections': method({
    summary: 'NFT collections, by address.',
    description:
      'To find collections by address or owner. For the items of a collection use v3.nft.items with `collection_address`.',
    group,
    params: z.strictObject({
      collection_address: AccountList.optional().describe('Only these collections.'),
      owner_address: AccountList.optional().describe('Only collections of these owners.'),
      ...cursorPage(),
    }),
    result: z
      .object({ nft_collections: z.array(NFTCollection).describe('Collections of this page.'), ...side })
      .meta({ id: 'NFTCollectionsResponse' }),
    rest: readsV3('nft/collections'),
    freshness: 'index',
    emptyIsAbsent: 'exceptFilters',
    paged: true,
    example: {
      params: { collection_address: [COLLECTION] },
      result: { nft_collections: [nftExamples.collection], ...sides },
    },
  }),

  'v3.nft.items': method({
    summary: 'NFT items with their collections and sellers.',
    description:
      'For the items of an owner pass `owner_address`, with `include_on_sale` also those that a sale contract holds for the owner. Their history is v3.nft.transfers, prices are in v3.nft.sales.',
    group,
    params: z.strictObject({
      address: AccountList.optional().describe('Only these items.'),
      owner_address: AccountList.optional().describe('Only items of these owners.'),
      collection_address: AccountList.optional().describe(
        'Only items of these collections; several need a single owner.',
      ),
      index: z
        .array(ItemIndex)
        .min(1)
        .max(MOST_VALUES)
        .optional()
        .describe('Only these indexes; needs `collection_address`.'),
      include_on_sale: z.boolean().default(false).describe('Include items the owner has listed for sale.'),
      sort_by_last_transaction_lt: z.boolean().default(false).describe('Same as `sort=desc`.'),
      ...cursorPage(),
      sort: MaybeSort.describe('By last transaction; else by collection and index, or by address.'),
    }),
    result: z
      .object({ nft_items: z.array(NFTItem).describe('Items of this page.'), ...side })
      .meta({ id: 'NFTItemsResponse' }),
    rest: readsV3('nft/items'),
    freshness: 'index',
    emptyIsAbsent: 'exceptFilters',
    paged: true,
    example: {
      params: { owner_address: [OWNER], include_on_sale: true },
      result: { nft_items: [nftExamples.item], ...sides },
    },
  }),

  'v3.nft.transfers': method({
    summary: 'NFT transfers, failed ones included.',
    description:
      'For the history of an item pass `item_address`. A transfer with `transaction_aborted` moved nothing. For purchases and bids use v3.actions.',
    group,
    params: z.strictObject({
      owner_address: AccountList.optional().describe('Only transfers from or to these owners.'),
      item_address: AccountList.optional().describe('Only transfers of these items.'),
      collection_address: AccountFilter.optional().describe('Only transfers of items of this collection.'),
      direction: TransferDirection.optional(),
      ...eventFilters,
      ...cursorPage(),
      sort: Sort,
    }),
    result: z
      .object({ nft_transfers: z.array(NFTTransfer).describe('Transfers of this page.'), ...side })
      .meta({ id: 'NFTTransfersResponse' }),
    rest: readsV3('nft/transfers'),
    freshness: 'index',
    emptyIsAbsent: 'exceptFilters',
    paged: true,
    example: {
      params: { item_address: [ITEM] },
      result: {
        nft_transfers: [
          {
            ...eventExample,
            nft_address: ITEM,
            nft_collection: COLLECTION,
            old_owner: OWNER,
            new_owner: OTHER,
            forward_amount: '1',
            ...commentExample,
          },
        ],
        ...sides,
      },
    },
  }),
}
