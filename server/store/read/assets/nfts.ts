// Collections and items, and the contracts that sell them.

import type { Sql, SqlText, StatementOptions } from '../../database.ts'
import { sql } from '../../sql.ts'
import type { AccountKey } from '../../tables/column.ts'
import { contractTables, type NftCollectionRow, type NftItemRow, type NftSaleRow } from '../../tables/contracts.ts'
import { type NftOwnersRow, nftOwners } from '../../tables/events.ts'
import { bytesKey, distinctValues } from '../bytesKey.ts'
import type { SizedList } from '../listBytes.ts'
import { type BesideRows, type NamedPage, readNamedPage } from '../namedPage.ts'
import { byAmount, byBytes, type RowOrder, type SortDirection } from '../order.ts'
import type { PageRequest } from '../page.ts'
import { readAll, type StoreRead } from '../read.ts'
import type { SideWishes } from '../sides.ts'
import { BY_ACCOUNT, byLastLt, isOneOf, isSingle, type Lead, type ListedRead, leadOf, listRead } from './list.ts'

export interface NftCollectionFilter {
  readonly accounts?: readonly AccountKey[] | undefined
  readonly owners?: readonly AccountKey[] | undefined
}

const { nftCollections, nftItems, nftSales } = contractTables

/** By account. */
export const nftCollectionsRead = (
  { accounts, owners }: NftCollectionFilter,
  request: PageRequest,
): ListedRead<NftCollectionRow> =>
  listRead(
    {
      table: nftCollections,
      key: 'account',
      order: BY_ACCOUNT,
      conditions: accounts === undefined ? [] : [isOneOf('account', accounts)],
      leads: leadOf('owner', owners),
      accounts: ['account', 'owner'],
      isSteady: isSingle(accounts, owners),
    },
    request,
  )

export interface NftItemFilter {
  readonly accounts?: readonly AccountKey[] | undefined
  readonly owners?: readonly AccountKey[] | undefined
  readonly collections?: readonly AccountKey[] | undefined
  readonly indexes?: readonly bigint[] | undefined
  /** Counts items that a contract sells for an owner among the owner's. */
  readonly withSales: boolean
  /** By their last transactions, in this direction. */
  readonly byLt?: SortDirection | undefined
}

/** Without columns that are equal in all rows: the planner then finds the index with the rest of the order. */
function itemOrder({ owners, collections, byLt }: NftItemFilter): RowOrder {
  if (byLt !== undefined) return byLastLt(byLt)
  const inCollection = [byAmount('index', 'asc'), byBytes('account', 'asc')]
  if (collections?.length === 1) return inCollection
  if (owners === undefined) return BY_ACCOUNT
  const ofOwner = [byBytes('collection_place', 'asc'), ...inCollection]
  return owners.length === 1 ? ofOwner : [byBytes('owner', 'asc'), ...ofOwner]
}

/** True of a contract `s` that owns the item `t` and sells it for its former owner. */
const SELLS = sql`s.account = t.owner and s.nft = t.account and s.kind <> 'telemint'`

/** As many items are put in order at once. */
const MOST_SORTED = 1000

/**
 * Items of owners, by their last transactions. Those of an owner in some collections are sorted where they are few: along all of the
 * owner's, of whom most may be in others, a page of few would be looked for without end.
 */
function owned(values: readonly AccountKey[], { collections, byLt }: NftItemFilter): Lead[] {
  if (collections === undefined || byLt === undefined) return leadOf('owner', values)
  const both = (owner: SqlText): SqlText => sql`select i.account from nft_items i
    where i.owner = ${owner} and i.collection_place = any(${collections}) limit ${MOST_SORTED + 1}`
  const count = (owner: SqlText): SqlText => sql`(select count(*) from (${both(owner)}) b)`
  return [
    { values, where: (owner) => sql`t.account = any(array(${both(owner)})) and ${count(owner)} <= ${MOST_SORTED}` },
    { values, where: (owner) => sql`t.owner = ${owner} and ${count(owner)} > ${MOST_SORTED}` },
  ]
}

/** Items of an owner, and items that are sold for an owner: of each sale the item is looked up by key. */
const ownedOrSold = (values: readonly AccountKey[], filter: NftItemFilter): Lead[] => [
  ...owned(values, filter).map(({ where }) => ({
    values,
    where: (owner: SqlText) => sql`${where(owner)} and not exists (select from nft_sales s where ${SELLS})`,
  })),
  {
    values,
    from: sql`nft_sales s
      cross join lateral (select * from nft_items i where i.account = s.nft and i.owner = s.account limit 1) t`,
    where: (owner) => sql`s.nft_owner = ${owner} and s.kind <> 'telemint'`,
  },
]

/** By owner; with one owner and several collections by both, since the index of an owner is ordered by collection. */
function ownLeads(owners: readonly AccountKey[], filter: NftItemFilter): Lead[] {
  const { collections, withSales, byLt } = filter
  if (withSales) return ownedOrSold(owners, filter)
  const [owner] = owners
  if (owners.length > 1 || collections === undefined || byLt !== undefined) return owned(owners, filter)
  const where = (place: SqlText) => sql`t.owner = ${owner ?? null} and t.collection_place = ${place}`
  return [{ values: collections, where }]
}

/** Collections of the items of a page, and the contracts that sell them. */
const BESIDE_ITEMS: readonly BesideRows[] = [
  {
    name: 'collections',
    columns: nftCollections.columns,
    accounts: ['owner'],
    select: sql`select ${nftCollections.select('c')} from nft_collections c
      where c.account = any(array(select distinct t.collection from shown t where t.collection is not null))`,
  },
  {
    name: 'sales',
    columns: nftSales.columns,
    accounts: ['nft_owner'],
    // Each by its key: joined, the planner reads all of them when it expects a long page.
    select: sql`select ${nftSales.select('s')} from shown t
      cross join lateral (select s.* from nft_sales s where ${SELLS} limit 1) s`,
  },
]

/** Each item is written with its collection. */
const EACH_WITH: NonNullable<SizedList['eachWith']> = [
  { from: sql`page i join nft_collections p on p.account = i.collection`, columns: nftCollections.columns },
]

export function nftItemsRead(filter: NftItemFilter, request: PageRequest): ListedRead<NftItemRow> & SizedList {
  const { accounts, owners, collections, indexes } = filter
  const conditions: SqlText[] = []
  const leads: Lead[] = []
  if (accounts !== undefined) conditions.push(isOneOf('account', accounts))
  if (indexes !== undefined) conditions.push(sql`t.index = any(${indexes}::numeric[])`)
  if (owners === undefined) leads.push(...leadOf('collection', collections))
  else {
    // The index of an owner's items continues with this column.
    if (collections !== undefined) conditions.push(isOneOf('collection_place', collections))
    leads.push(...ownLeads(owners, filter))
  }
  const order = itemOrder(filter)
  const named = { accounts: ['account', 'collection', 'owner'], beside: BESIDE_ITEMS }
  const isSingleLead = leads.length < 2 && indexes === undefined && isSingle(accounts, owners, collections)
  // An owner's items are in several indexes. After a key the planner takes any of them, unless it knows the owner.
  const along = isSingleLead && owners !== undefined && request.after === null ? 'owner' : undefined
  const isSteady = isSingleLead && (owners === undefined || along !== undefined)
  const list = { table: nftItems, key: 'account', order, along, conditions, leads, ...named, isSteady }
  return { ...listRead(list, request), eachWith: EACH_WITH }
}

/** Accounts that sell items: at a price, by auction, and items that are their own auctions. */
export const nftSalesRead = (accounts: readonly AccountKey[]): StoreRead<NftSaleRow> => ({
  statement: sql.steady(sql`select ${nftSales.select('t')} from nft_sales t where t.account = any(${accounts})
    order by array_position(array['sale', 'auction', 'telemint'], t.kind), t.account`),
  toValue: nftSales.decode,
})

/** Accounts that are items, unordered. */
export const itemsRead = (accounts: readonly AccountKey[]): StoreRead<NftItemRow> & SizedList => ({
  eachWith: EACH_WITH,
  named: { columns: nftItems.columns, accounts: ['account', 'collection', 'owner'] },
  statement: sql.steady(sql`select ${nftItems.select('t')} from nft_items t where t.account = any(${accounts})`),
  toValue: nftItems.decode,
})

/** Owners of items before and after these transactions, for those that are the last of their item in a block. */
export const itemOwnersRead = (transactions: readonly Uint8Array[]): StoreRead<NftOwnersRow> => ({
  statement: sql`select ${nftOwners.select('t')} from nft_owners t where t.tx_hash = any(${transactions})`,
  toValue: nftOwners.decode,
})

const collectionsRead = (accounts: readonly AccountKey[]): StoreRead<NftCollectionRow> => ({
  statement: sql.steady(
    sql`select ${nftCollections.select('t')} from nft_collections t where t.account = any(${accounts})`,
  ),
  toValue: nftCollections.decode,
})

export interface NftItemFound {
  readonly row: NftItemRow
  /** Null when that contract is not indexed. */
  readonly collection: NftCollectionRow | null
  /** The contract that sells it. */
  readonly sale: NftSaleRow | null
}

const byAccount = <T extends { readonly account: AccountKey }>(rows: readonly T[]): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [bytesKey(row.account), row]))

const present = (keys: readonly (AccountKey | null)[]): AccountKey[] =>
  distinctValues(keys.filter((key) => key !== null))

function withParts(
  rows: readonly NftItemRow[],
  collections: readonly NftCollectionRow[],
  sales: readonly NftSaleRow[],
): NftItemFound[] {
  const known = byAccount(collections)
  const sellers = byAccount(sales)
  return rows.map((row) => {
    const sale = row.owner === null ? undefined : sellers.get(bytesKey(row.owner))
    const sells = sale && sale.kind !== 'telemint' && bytesKey(sale.nft) === bytesKey(row.account)
    return {
      row,
      collection: (row.collection && known.get(bytesKey(row.collection))) ?? null,
      sale: sells ? sale : null,
    }
  })
}

/** The items with their collections and sales, in the same order. Two statements for a page of any length. */
export async function readItemParts(
  from: Sql,
  rows: readonly NftItemRow[],
  options?: StatementOptions,
): Promise<NftItemFound[]> {
  if (rows.length === 0) return []
  const [collections, sales] = await Promise.all([
    readAll(from, collectionsRead(present(rows.map(({ collection }) => collection))), options),
    readAll(from, nftSalesRead(present(rows.map(({ owner }) => owner))), options),
  ])
  return withParts(rows, collections, sales)
}

/** A page of items with their collections and sales. */
export async function readItemPage(
  from: Sql,
  read: ListedRead<NftItemRow>,
  wishes: SideWishes,
  options?: StatementOptions,
): Promise<NamedPage<NftItemFound>> {
  const { rows, next, beside, sides } = await readNamedPage(from, read, wishes, options)
  const [collections = [], sales = []] = beside
  const found = withParts(rows, collections.map(nftCollections.decode), sales.map(nftSales.decode))
  return { rows: found, next, beside, sides }
}
