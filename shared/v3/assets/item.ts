// Collections and items as v3 writes them, alone and inside other rows.

import { z } from 'zod'
import { Digits, RawAddress } from '../values.ts'
import { contractExample, contractFields, TokenAttributes, tokenExamples } from './parts.ts'

export const NFTCollection = z
  .object({
    address: RawAddress.describe('Collection contract.'),
    owner_address: RawAddress.nullable().describe('Owner; null for none.'),
    next_item_index: Digits.describe('Index of the next item; -1 when items are not numbered.'),
    collection_content: TokenAttributes.nullable().describe('On-chain metadata (TEP-64); null when unreadable.'),
    ...contractFields,
  })
  .meta({ id: 'NFTCollection' })
export type NFTCollection = z.output<typeof NFTCollection>

export const NFTItem = z
  .object({
    address: RawAddress.describe('Item contract.'),
    init: z.boolean().describe('True when the item is initialized.'),
    index: z.string().describe('Index in the collection, decimal digits; for Telegram names the name.'),
    collection_address: RawAddress.nullable().describe('Collection; null for a single item.'),
    owner_address: RawAddress.nullable().describe('Owner, a sale contract while it is on sale.'),
    content: TokenAttributes.nullable().describe('On-chain metadata (TEP-64); null when unreadable.'),
    ...contractFields,
    collection: NFTCollection.nullable().describe('Collection; null for a single item.'),
    on_sale: z.boolean().describe('True while a sale or auction contract holds it.'),
    sale_contract_address: RawAddress.optional().describe('Contract of its sale.'),
    auction_contract_address: RawAddress.optional().describe('Contract of its auction.'),
    real_owner: RawAddress.optional().describe('Seller, while it is on sale.'),
  })
  .meta({ id: 'NFTItem' })
export type NFTItem = z.output<typeof NFTItem>

const { COLLECTION, ITEM, OTHER, OWNER, SALE } = tokenExamples

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
