// What is known of accounts, for telling what a trace did that touched them.

import type { AccountFactsRow } from '../actionRows.ts'
import type { NftSaleKind } from '../assetRows.ts'
import type { Row } from '../database.ts'
import type { AccountKey } from '../rows.ts'
import { sql } from '../sql.ts'
import { contentOf } from './assets/contract.ts'
import type { Read } from './read.ts'

// The casts: the statement below names columns of these types.
const walletOf = (row: Row): AccountFactsRow['jettonWallet'] =>
  row.wallet_owner === null ? null : { owner: row.wallet_owner as AccountKey, jetton: row.wallet_jetton as AccountKey }

const itemOf = (row: Row): AccountFactsRow['nftItem'] =>
  row.item_index === null
    ? null
    : {
        index: row.item_index as bigint,
        collection: row.item_collection as AccountKey | null,
        owner: row.item_owner as AccountKey | null,
        content: contentOf(row.item_content),
      }

const saleOf = (row: Row): AccountFactsRow['sale'] =>
  row.sale_kind === null
    ? null
    : {
        kind: row.sale_kind as NftSaleKind,
        nft: row.sale_nft as AccountKey,
        nftOwner: row.sale_owner as AccountKey | null,
        marketplace: row.sale_marketplace as AccountKey | null,
        details: row.sale_details as string,
      }

/** Those of the accounts of which anything is known, in no order. */
export const factsRead = (accounts: readonly AccountKey[]): Read<AccountFactsRow> => ({
  statement: sql`select k.account, a.code_hash, c.interfaces, w.owner as wallet_owner, w.jetton as wallet_jetton,
      i.index as item_index, i.collection as item_collection, i.owner as item_owner, i.content as item_content,
      s.kind as sale_kind, s.nft as sale_nft, s.nft_owner as sale_owner, s.marketplace as sale_marketplace,
      s.details as sale_details, o.signers, n.domain, p.account as pool, p.asset_1, p.asset_2
    from unnest(${accounts}::bytea[]) as k (account)
      left join accounts a on a.account = k.account
      left join codes c on c.hash = a.code_hash
      left join jetton_wallets w on w.account = k.account
      left join nft_items i on i.account = k.account
      left join nft_sales s on s.account = k.account
      left join multisig_orders o on o.account = k.account
      left join dns_records n on n.account = k.account
      left join dedust_pools p on p.account = k.account
    where a.account is not null or w.account is not null or i.account is not null`,
  toValue: (row) => ({
    account: row.account as AccountKey,
    codeHash: row.code_hash as Uint8Array | null,
    interfaces: (row.interfaces as readonly string[] | null) ?? [],
    jettonWallet: walletOf(row),
    nftItem: itemOf(row),
    sale: saleOf(row),
    domain: row.domain as string | null,
    dedustAssets: row.pool === null ? null : [row.asset_1 as AccountKey | null, row.asset_2 as AccountKey | null],
    orderSigners: row.signers as readonly AccountKey[] | null,
  }),
})

/** Data of accounts, bags of cells; those that have none are left out. */
export const dataRead = (accounts: readonly AccountKey[]): Read<{ account: AccountKey; data: Uint8Array }> => ({
  statement: sql`select account, data from accounts
    where account = any(${accounts}::bytea[]) and data is not null`,
  // The casts: columns of these types.
  toValue: (row) => ({ account: row.account as AccountKey, data: row.data as Uint8Array }),
})
