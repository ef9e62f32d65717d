// Collections and items as v3 writes them, alone and inside other rows.

import { z } from 'zod'
import { Digits, RawAddress } from '../values.ts'
import { contractExample, contractFields, TokenContent, tokens } from './parts.ts'

export const NFTCollection = z
  .object({
    address: RawAddress,
    owner_address: RawAddress.nullable(),
    next_item_index: Digits.meta({ description: '-1 when items are not numbered.' }),
    collection_content: TokenContent.nullable(),
    ...contractFields,
  })
  .meta({ id: 'NFTCollection' })

export const NFTItem = z
  .object({
    address: RawAddress,
    init: z.boolean(),
    index: z.string().meta({ description: 'Decimal digits; of a name that is its own auction, the name.' }),
    collection_address: RawAddress.nullable(),
    owner_address: RawAddress.nullable(),
    content: TokenContent.nullable(),
    ...contractFields,
    collection: NFTCollection.nullable(),
    on_sale: z.boolean(),
    sale_contract_address: RawAddress.optional(),
    auction_contract_address: RawAddress.optional(),
    real_owner: RawAddress.optional().meta({ description: 'Whom it is sold for.' }),
  })
  .meta({ id: 'NFTItem' })

const { COLLECTION, ITEM, OTHER, OWNER, SALE } = tokens

const collection: z.input<typeof NFTCollection> = {
  address: COLLECTION,
  owner_address: OTHER,
  next_item_index: '-1',
  collection_content: { uri: 'https://dns.ton.org/collection.json' },
  ...contractExample,
}

const item: z.input<typeof NFTItem> = {
  address: ITEM,
  init: true,
  index: '38930916800118655128984401856443062677799436388671332167772672007419684920584',
  collection_address: COLLECTION,
  owner_address: SALE,
  content: { uri: 'https://dns.ton.org/items/alice.json', domain: 'alice.ton' },
  ...contractExample,
  collection,
  on_sale: true,
  sale_contract_address: SALE,
  real_owner: OWNER,
}

/** One of each, the item on sale. */
export const nftExamples = { collection, item }
