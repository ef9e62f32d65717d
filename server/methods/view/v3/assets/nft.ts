// Collections, items and what sells them as v3 writes them.

import type { z } from 'zod'
import { toDigits } from '../../../../../shared/primitives.ts'
import type { Result } from '../../../../../shared/registry.ts'
import type { NFTCollection, NFTItem } from '../../../../../shared/v3/assets/item.ts'
import type { salesV3 } from '../../../../../shared/v3/assets/sales.ts'
import type { AccountKey, NftCollectionRow, NftItemFound, NftSaleRow } from '../../../../store/index.ts'
import { rawOfKey } from '../../../keyOfAccount.ts'
import { accountsOfDetails } from '../action.ts'
import { contractFieldsOf, present, rawOrNull, toContent } from './fields.ts'

type Collection = z.output<typeof NFTCollection>
type Item = z.output<typeof NFTItem>
type Sale = Result<(typeof salesV3)['v3.nft.sales']>['nft_sales'][number]

export const toNftCollection = (row: NftCollectionRow): Collection => ({
  address: rawOfKey(row.account),
  owner_address: rawOrNull(row.owner),
  next_item_index: toDigits(row.nextItemIndex),
  collection_content: toContent(row.content),
  ...contractFieldsOf(row),
})

function saleFields(sale: NftSaleRow | null): Partial<Item> & Pick<Item, 'on_sale'> {
  if (sale === null) return { on_sale: false }
  const name = sale.kind === 'auction' ? 'auction_contract_address' : 'sale_contract_address'
  return {
    on_sale: true,
    [name]: rawOfKey(sale.account),
    ...(sale.nftOwner === null ? {} : { real_owner: rawOfKey(sale.nftOwner) }),
  }
}

export const toNftItem = ({ row, collection, sale }: NftItemFound): Item => ({
  address: rawOfKey(row.account),
  init: row.init,
  index: toDigits(row.index),
  collection_address: rawOrNull(row.collection),
  owner_address: rawOrNull(row.owner),
  content: toContent(row.content),
  collection: collection && toNftCollection(collection),
  ...contractFieldsOf(row),
  ...saleFields(sale),
})

const TYPES = { sale: 'getgems_sale', auction: 'getgems_auction', telemint: 'telemint' } as const

// The cast: it was written as it goes over the wire, and what is null is left out there.
const detailsOf = ({ details }: NftSaleRow): Sale['details'] =>
  Object.fromEntries(Object.entries(JSON.parse(details) as object).filter(([, value]) => value !== null))

/** A name that is its own auction, as the item it is. */
const namedItem = (row: NftSaleRow, name: string): Item => ({
  address: rawOfKey(row.account),
  init: true,
  index: name,
  collection_address: null,
  owner_address: null,
  content: null,
  collection: null,
  on_sale: false,
  ...contractFieldsOf(row),
})

const one = (name: string, account: AccountKey | null) => (account === null ? {} : { [name]: rawOfKey(account) })

/** With the item that is sold, when that is known. */
export function toNftSale(row: NftSaleRow, item: NftItemFound | undefined): Sale {
  const details = detailsOf(row)
  const begins = { type: TYPES[row.kind], address: rawOfKey(row.account) }
  const ends = { details, ...contractFieldsOf(row) }
  if (row.kind === 'telemint')
    return { nft_address: begins.address, nft_item: namedItem(row, details.token_name ?? ''), ...begins, ...ends }
  return {
    nft_address: rawOfKey(row.nft),
    ...begins,
    ...one('nft_owner_address', row.nftOwner),
    ...one('marketplace_address', row.marketplace),
    ...(row.createdAt === null ? {} : { created_at: Number(row.createdAt) }),
    ...ends,
    ...(item === undefined ? {} : { nft_item: toNftItem(item) }),
  }
}

/** Accounts of a sale for the address book, with those of its details: who is paid, who has bid. */
export const accountsOfSale = (row: NftSaleRow): AccountKey[] => [
  ...present(row.account, row.nft, row.nftOwner, row.marketplace),
  ...accountsOfDetails(detailsOf(row)),
]

/** Accounts of an item for the address book. */
export const accountsOfItem = ({ row, collection, sale }: NftItemFound): AccountKey[] =>
  present(row.account, row.collection, row.owner, collection?.owner, sale?.nftOwner)
