import { z } from 'zod'
import { method } from '../../method.ts'
import { cursorPage, MaybeSort, NextCursor, RULE, Sort } from '../../page.ts'
import { AccountFilter, AccountList, MOST_VALUES } from '../filters.ts'
import { AddressBook, Metadata, sideExample } from '../sideObjects.ts'
import { Digits, RawAddress, readsV3 } from '../values.ts'
import { NFTCollection, NFTItem, nftExamples } from './item.ts'
import {
  commentExample,
  eventExample,
  eventFields,
  eventFilters,
  forwardFields,
  TransferDirection,
  tokens,
} from './parts.ts'

const group = 'nfts'

const side = { address_book: AddressBook, metadata: Metadata, cursor: NextCursor }
const sides = { ...sideExample, cursor: null }

const NFTTransfer = z
  .object({
    ...eventFields,
    nft_address: RawAddress,
    nft_collection: RawAddress.nullable(),
    old_owner: RawAddress.meta({ description: 'Who asked for the transfer.' }),
    new_owner: RawAddress,
    forward_amount: Digits.nullable(),
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

const { COLLECTION, ITEM, OWNER, OTHER } = tokens

export const nfts = {
  'v3.nft.collections': method({
    summary: 'Collections of items, by address.',
    group,
    params: z.strictObject({
      collection_address: AccountList.optional(),
      owner_address: AccountList.optional(),
      ...cursorPage(),
    }),
    result: z.object({ nft_collections: z.array(NFTCollection), ...side }).meta({ id: 'NFTCollectionsResponse' }),
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
    summary: 'Items, each with its collection and with who sells it.',
    group,
    params: z.strictObject({
      address: AccountList.optional(),
      owner_address: AccountList.optional(),
      collection_address: AccountList.optional().meta({ description: 'Of several, with one owner only.' }),
      index: z.array(ItemIndex).min(1).max(MOST_VALUES).optional().meta({ description: 'With `collection_address`.' }),
      include_on_sale: z.boolean().default(false).meta({ description: 'An owner has what is sold for it too.' }),
      sort_by_last_transaction_lt: z.boolean().default(false).meta({ description: 'The same as `sort=desc`.' }),
      ...cursorPage(),
      sort: MaybeSort.meta({ description: 'By last transaction; else by collection and index, or by address.' }),
    }),
    result: z.object({ nft_items: z.array(NFTItem), ...side }).meta({ id: 'NFTItemsResponse' }),
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
    summary: 'Transfers of items, refused ones too.',
    group,
    params: z.strictObject({
      owner_address: AccountList.optional(),
      item_address: AccountList.optional(),
      collection_address: AccountFilter.optional(),
      direction: TransferDirection.optional(),
      ...eventFilters,
      ...cursorPage(),
      sort: Sort,
    }),
    result: z.object({ nft_transfers: z.array(NFTTransfer), ...side }).meta({ id: 'NFTTransfersResponse' }),
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
