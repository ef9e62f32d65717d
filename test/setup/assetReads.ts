// Every read behind a v3 method for tokens, names and shared wallets, with each filter it has, and each two of them.

import {
  type AccountKey,
  type AuctionFilter,
  bookRead,
  type DnsFilter,
  dnsAuctionsRead,
  dnsRecordsRead,
  domainsByPrefixRead,
  heldJettonsRead,
  itemsRead,
  type JettonBurnFilter,
  type JettonTransferFilter,
  jettonBurnsRead,
  jettonMastersRead,
  jettonTransfersRead,
  jettonWalletsRead,
  multisigsRead,
  type NftItemFilter,
  type NftTransferFilter,
  neighbouringDomainsRead,
  neighbouringNamesRead,
  nftCollectionsRead,
  nftItemsRead,
  nftSalesRead,
  nftTransfersRead,
  ordersOfRead,
  ordersRead,
  type Sql,
  type SqlRow,
  type SqlText,
  sql,
  type VestingFilter,
  vestingsRead,
} from '../../server/store/index.ts'
import { owedAmountsRead, proofsRead } from '../../server/store/read/assets/airdrops.ts'
import type { JettonMasterFilter, JettonWalletFilter } from '../../server/store/read/assets/jettons.ts'
import type { MultisigFilter, OrderFilter } from '../../server/store/read/assets/multisigs.ts'
import type { NftCollectionFilter } from '../../server/store/read/assets/nfts.ts'
import { sidesStatement } from '../../server/store/read/sides.ts'
import type { AssetRows } from './assetTables.ts'
import { casesOf, type Listed, type PageVariant, placeOf, type ReadCase } from './reads.ts'

/** Rows to ask for, and people: one who has much, and one who has little. */
interface Sample {
  readonly busy: AccountKey
  readonly quiet: AccountKey
  readonly rows: AssetRows
  /** Of each table a row from its middle, as it is stored. */
  readonly middle: ReadonlyMap<string, SqlRow>
}

const TABLES = [
  'jetton_masters',
  'jetton_wallets',
  'jetton_transfers',
  'jetton_burns',
  'nft_collections',
  'nft_items',
  'nft_transfers',
  'dns_records',
  'multisigs',
  'multisig_orders',
  'vestings',
]

async function one(from: Sql, statement: SqlText): Promise<SqlRow> {
  const [row] = await from.query(statement)
  if (!row) throw new Error('the store has no such row')
  return row
}

export async function sampleOfAssets(from: Sql, rows: AssetRows): Promise<Sample> {
  const people = await from.query(sql`select owner from jetton_wallets group by owner order by count(*) desc, owner`)
  const middle = new Map<string, SqlRow>()
  for (const table of TABLES) {
    const name = sql.identifier(table)
    const auction = table === 'dns_records' ? sql`where auction_end is not null` : sql.empty
    middle.set(table, await one(from, sql`select * from ${name} ${auction} limit 1 offset 10`))
  }
  // The casts: the column is of this type.
  return { busy: people[0]?.owner as AccountKey, quiet: people.at(-1)?.owner as AccountKey, rows, middle }
}

const first = <T>(rows: readonly T[]): T => {
  const row = rows[0]
  if (!row) throw new Error('no row')
  return row
}

export function assetReadCases(sample: Sample, pages?: readonly PageVariant[]): ReadCase[] {
  const cases = <F extends object>(table: string, list: Listed<F>): ReadCase[] =>
    casesOf(list, (order) => placeOf(order, sample.middle.get(table) ?? {}), pages)
  return [...jettonCases(sample, cases), ...nftCases(sample, cases), ...otherCases(sample, cases), ...single(sample)]
}

type Cases = <F extends object>(table: string, list: Listed<F>) => ReadCase[]

const timesOf = ({ txNow, txLt }: { readonly txNow: number; readonly txLt: bigint }) => ({
  'start time': { startUtime: txNow },
  'end time': { endUtime: txNow },
  'start lt': { startLt: txLt },
  'end lt': { endLt: txLt },
})

function jettonCases({ busy, quiet, rows }: Sample, cases: Cases): ReadCase[] {
  const transfer = first(rows.jettonTransfers)
  const wallets = rows.jettonWallets.map(({ account }) => account)
  const masters: Listed<JettonMasterFilter> = {
    name: 'jettons',
    filters: {
      nothing: {},
      accounts: { accounts: rows.jettonMasters.slice(0, 5).map(({ account }) => account) },
      admin: { admins: [busy] },
      admins: { admins: [busy, quiet] },
    },
    read: jettonMastersRead,
  }
  const holders: Listed<JettonWalletFilter> = {
    name: 'jetton wallets',
    filters: {
      nothing: {},
      accounts: { accounts: wallets.slice(0, 5) },
      'a busy owner': { owners: [busy] },
      'a quiet owner': { owners: [quiet] },
      owners: { owners: [busy, quiet] },
      jetton: { jettons: [transfer.jetton] },
      'no zeros': { excludeZero: true },
    },
    read: jettonWalletsRead,
  }
  const ends = {
    'a busy owner': { owners: [busy], direction: null },
    'a quiet owner': { owners: [quiet], direction: null },
    'a busy receiver': { owners: [busy], direction: 'in' },
    'a busy sender': { owners: [busy], direction: 'out' },
    owners: { owners: [busy, quiet], direction: null },
  } as const
  const transfers: Listed<JettonTransferFilter> = {
    name: 'jetton transfers',
    filters: {
      nothing: { direction: null },
      ...ends,
      wallet: { direction: null, wallets: [transfer.sourceWallet] },
      wallets: { direction: null, wallets: wallets.slice(0, 3) },
      jetton: { direction: null, jetton: transfer.jetton },
      ...timed(transfer, { direction: null }),
    },
    read: jettonTransfersRead,
  }
  const burns: Listed<JettonBurnFilter> = {
    name: 'jetton burns',
    filters: {
      nothing: {},
      'a busy owner': { owners: [busy] },
      owners: { owners: [busy, quiet] },
      wallet: { wallets: [first(rows.jettonBurns).jettonWallet] },
      jetton: { jetton: transfer.jetton },
      ...timesOf(first(rows.jettonBurns)),
    },
    read: jettonBurnsRead,
  }
  return [
    ...cases('jetton_masters', masters),
    ...cases('jetton_wallets', holders),
    ...cases('jetton_transfers', transfers),
    ...cases('jetton_burns', burns),
  ]
}

const timed = <F extends object>(row: Parameters<typeof timesOf>[0], shared: F) =>
  Object.fromEntries(Object.entries(timesOf(row)).map(([name, filter]) => [name, { ...filter, ...shared }]))

function nftCases({ busy, quiet, rows }: Sample, cases: Cases): ReadCase[] {
  const transfer = first(rows.nftTransfers)
  const collection = first(rows.nftCollections).account
  const collections: Listed<NftCollectionFilter> = {
    name: 'collections',
    filters: { nothing: {}, accounts: { accounts: [collection] }, owner: { owners: [busy] } },
    read: nftCollectionsRead,
  }
  const itemFilters = (withSales: boolean, byLt: 'asc' | undefined): Readonly<Record<string, NftItemFilter>> => {
    const shared = { withSales, ...(byLt && { byLt }) }
    return {
      nothing: shared,
      accounts: { ...shared, accounts: rows.nftItems.slice(0, 5).map(({ account }) => account) },
      'a busy owner': { ...shared, owners: [busy] },
      'a quiet owner': { ...shared, owners: [quiet] },
      owners: { ...shared, owners: [busy, quiet] },
      collection: { ...shared, collections: [collection] },
      'a collection and an index': { ...shared, collections: [collection], indexes: [3n, 4n] },
      'a collection and an owner': { ...shared, collections: [collection], owners: [busy] },
      'collections and an owner': {
        ...shared,
        collections: rows.nftCollections.slice(0, 3).map(({ account }) => account),
        owners: [busy],
      },
    }
  }
  const items = (['items', 'items with sales'] as const).flatMap((name) =>
    ([undefined, 'asc'] as const).map(
      (byLt): Listed<NftItemFilter> => ({
        name: byLt === undefined ? name : `${name} in time`,
        filters: itemFilters(name !== 'items', byLt),
        read: (filter, ask, sort) => nftItemsRead(byLt === undefined ? filter : { ...filter, byLt: sort }, ask),
      }),
    ),
  )
  const transfers: Listed<NftTransferFilter> = {
    name: 'item transfers',
    filters: {
      nothing: { direction: null },
      'a busy owner': { owners: [busy], direction: null },
      'a busy receiver': { owners: [busy], direction: 'in' },
      item: { direction: null, items: [transfer.nft] },
      items: { direction: null, items: rows.nftItems.slice(0, 3).map(({ account }) => account) },
      collection: { direction: null, collection },
      ...timed(transfer, { direction: null }),
    },
    read: nftTransfersRead,
  }
  return [
    ...cases('nft_collections', collections),
    ...items.flatMap((list) => cases('nft_items', list)),
    ...cases('nft_transfers', transfers),
  ]
}

function otherCases({ busy, quiet, rows }: Sample, cases: Cases): ReadCase[] {
  const names: Listed<DnsFilter> = {
    name: 'names',
    filters: { wallet: { wallet: busy }, domain: { domain: first(rows.dnsRecords).domain } },
    allowed: (filter) => !('wallet' in filter && 'domain' in filter),
    read: dnsRecordsRead,
  }
  const auctions: Listed<AuctionFilter> = {
    name: 'auctions',
    filters: {
      bidder: { bidder: busy },
      'bidder still': { bidder: busy, ends: { after: 1_755_000_000 } },
      'bidder no more': { bidder: busy, ends: { until: 1_755_000_000 } },
    },
    read: dnsAuctionsRead,
  }
  const multisigs: Listed<MultisigFilter> = {
    name: 'multisigs',
    filters: { accounts: { accounts: [first(rows.multisigs).account] }, members: { members: [busy, quiet] } },
    read: multisigsRead,
  }
  const orders: Listed<OrderFilter> = {
    name: 'orders',
    filters: {
      accounts: { accounts: [first(rows.multisigOrders).account] },
      multisigs: { multisigs: [first(rows.multisigs).account] },
    },
    read: ordersRead,
  }
  const vestings: Listed<VestingFilter> = {
    name: 'vestings',
    filters: {
      accounts: { accounts: [first(rows.vestings).account], withWhitelist: false },
      'senders and owners': { members: [busy, quiet], withWhitelist: false },
      'senders and owners and whitelists': { members: [busy], withWhitelist: true },
    },
    read: vestingsRead,
  }
  return [
    ...cases('dns_records', names),
    ...cases('dns_records', auctions),
    ...cases('multisigs', multisigs),
    ...cases('multisig_orders', orders),
    ...cases('vestings', vestings),
  ]
}

function single({ busy, quiet, rows }: Sample): ReadCase[] {
  const { domain } = first(rows.dnsRecords)
  const items = rows.nftItems.slice(0, 10).map(({ account }) => account)
  const reads = {
    'address book with names': bookRead([busy, quiet]),
    'what sells': nftSalesRead(rows.nftSales.slice(0, 10).map(({ account }) => account)),
    'items with sellers': itemsRead(items),
    'orders of multisigs': ordersOfRead([first(rows.multisigs).account], 100),
    'what wallets are owed': owedAmountsRead(rows.jettonWallets.slice(0, 10).map(({ account }) => account)),
    'proofs of jettons': proofsRead(rows.jettonMasters.slice(0, 5).map(({ account }) => account)),
    'jettons in wallets': heldJettonsRead([...items, first(rows.jettonWallets).account]),
    'names next to a text': neighbouringNamesRead('nnn'),
    'domains that begin alike': domainsByPrefixRead(domain.slice(0, -1), 10),
    'domains next to a text': neighbouringDomainsRead(domain),
    'names and tokens': {
      statement: sidesStatement([...items, first(rows.jettonMasters).account], { book: true, tokens: true }),
    },
  }
  return Object.entries(reads).map(([name, { statement }]) => ({ name, statement, single: true }))
}
