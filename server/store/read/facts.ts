// Facts of accounts, for the classification of traces that touched them.

import type { Sql, SqlRow } from '../database.ts'
import { sql } from '../sql.ts'
import { accounts, codes } from '../tables/accounts.ts'
import { type AccountKey, account, bytea, nullable } from '../tables/column.ts'
import { type ContentAttributes, contractTables, type NftSaleKind } from '../tables/contracts.ts'
import { decoderOf } from '../tables/decoder.ts'
import { readAll, type StoreRead } from './read.ts'

/** Facts of an account; null where it is not such a contract. */
export interface AccountFactsRow {
  readonly account: AccountKey
  readonly codeHash: Uint8Array | null
  readonly interfaces: readonly string[]
  readonly jettonWallet: { readonly owner: AccountKey; readonly jetton: AccountKey } | null
  readonly nftItem: {
    readonly index: bigint
    readonly collection: AccountKey | null
    readonly owner: AccountKey | null
    readonly content: ContentAttributes | null
  } | null
  readonly sale: {
    readonly kind: NftSaleKind
    readonly nft: AccountKey
    readonly nftOwner: AccountKey | null
    readonly marketplace: AccountKey | null
    /** JSON, as in `NftSaleRow`. */
    readonly details: string
  } | null
  /** The name of a domain's item. */
  readonly domain: string | null
  /** What a pool of DeDust exchanges; null among them is TON. */
  readonly dedustAssets: readonly (AccountKey | null)[] | null
  /** Who may sign an order of a shared wallet. */
  readonly orderSigners: readonly AccountKey[] | null
}

const { jettonWallets, nftItems, nftSales, multisigOrders, dnsRecords, dedustPools } = contractTables

/** All tables but the list of accounts are left-joined, so that their columns can be null. */
const decodeJoined = decoderOf({
  account,
  codeHash: accounts.fields.codeHash,
  interfaces: nullable(codes.fields.interfaces),
  walletOwner: nullable(jettonWallets.fields.owner),
  walletJetton: nullable(jettonWallets.fields.jetton),
  itemIndex: nullable(nftItems.fields.index),
  itemCollection: nftItems.fields.collection,
  itemOwner: nftItems.fields.owner,
  itemContent: nftItems.fields.content,
  saleKind: nullable(nftSales.fields.kind),
  saleNft: nullable(nftSales.fields.nft),
  saleOwner: nftSales.fields.nftOwner,
  saleMarketplace: nftSales.fields.marketplace,
  saleDetails: nullable(nftSales.fields.details),
  signers: nullable(multisigOrders.fields.signers),
  domain: nullable(dnsRecords.fields.domain),
  pool: nullable(account),
  asset1: dedustPools.fields.asset1,
  asset2: dedustPools.fields.asset2,
})

type Joined = ReturnType<typeof decodeJoined>

const walletOf = ({ walletOwner: owner, walletJetton: jetton }: Joined): AccountFactsRow['jettonWallet'] =>
  owner === null || jetton === null ? null : { owner, jetton }

const itemOf = (row: Joined): AccountFactsRow['nftItem'] =>
  row.itemIndex === null
    ? null
    : { index: row.itemIndex, collection: row.itemCollection, owner: row.itemOwner, content: row.itemContent }

const saleOf = (row: Joined): AccountFactsRow['sale'] => {
  const { saleKind: kind, saleNft: nft, saleDetails: details } = row
  if (kind === null || nft === null || details === null) return null
  return { kind, nft, nftOwner: row.saleOwner, marketplace: row.saleMarketplace, details }
}

function decodeFacts(row: SqlRow): AccountFactsRow {
  const joined = decodeJoined(row)
  const { account, codeHash, interfaces, domain, pool, asset1, asset2, signers } = joined
  return {
    account,
    codeHash,
    interfaces: interfaces ?? [],
    jettonWallet: walletOf(joined),
    nftItem: itemOf(joined),
    sale: saleOf(joined),
    domain,
    dedustAssets: pool === null ? null : [asset1, asset2],
    orderSigners: signers,
  }
}

/** Those of the accounts that are in any of the tables, in no order. */
export const factsRead = (keys: readonly AccountKey[]): StoreRead<AccountFactsRow> => ({
  statement: sql`select k.account, a.code_hash, c.interfaces, w.owner as wallet_owner, w.jetton as wallet_jetton,
      i.index as item_index, i.collection as item_collection, i.owner as item_owner, i.content as item_content,
      s.kind as sale_kind, s.nft as sale_nft, s.nft_owner as sale_owner, s.marketplace as sale_marketplace,
      s.details as sale_details, o.signers, n.domain, p.account as pool, p.asset_1, p.asset_2
    from unnest(${keys}::bytea[]) as k (account)
      left join accounts a on a.account = k.account
      left join codes c on c.hash = a.code_hash
      left join jetton_wallets w on w.account = k.account
      left join nft_items i on i.account = k.account
      left join nft_sales s on s.account = k.account
      left join multisig_orders o on o.account = k.account
      left join dns_records n on n.account = k.account
      left join dedust_pools p on p.account = k.account
    where a.account is not null or w.account is not null or i.account is not null`,
  toValue: decodeFacts,
})

const decodeData = decoderOf({ account, codeHash: accounts.fields.codeHash, data: bytea })

export type DataFound = ReturnType<typeof decodeData>

/** Of contracts whose data is needed, a pool has the longest, some 4 kB. Others may hold megabytes. */
export const LONGEST_DATA = 65_536

/** Data of accounts, bags of cells; accounts without data, and with longer, are left out. */
export const dataRead = (keys: readonly AccountKey[]): StoreRead<DataFound> => ({
  statement: sql`select account, code_hash, data from accounts
    where account = any(${keys}::bytea[]) and octet_length(data) <= ${LONGEST_DATA}`,
  toValue: decodeData,
})

/** Readers of facts and data, by accounts. */
export const factRows = (from: Sql) => ({
  facts: (accounts: readonly AccountKey[]): Promise<AccountFactsRow[]> => readAll(from, factsRead(accounts)),
  data: (accounts: readonly AccountKey[]) => readAll(from, dataRead(accounts)),
})
