// Tokens, names, sales, shared and locked wallets as their tables take them.

import type { AssetKind, AssetRow, Content, ContractRow } from '../assetRows.ts'
import { sql } from '../sql.ts'
import type { Column, Table } from './bulk.ts'

const contentOf = (content: Content | null): string | null => (content === null ? null : JSON.stringify(content))

/** What was said last stays; a contract that was changed by hand has the lt it had. */
function lastOne<R>(name: string, columns: readonly Column<R>[]): Table<R> {
  const changes = columns
    .filter(([column]) => column !== 'account')
    .map(([column]) => sql`${sql.identifier(column)} = excluded.${sql.identifier(column)}`)
  return {
    name,
    columns,
    onConflict: sql`on conflict (account) do update set ${sql.join(changes)}
      where ${sql.identifier(name)}.last_tx_lt <= excluded.last_tx_lt`,
  }
}

const contractTable = <R extends ContractRow>(name: string, columns: readonly Column<R>[]): Table<R> =>
  lastOne<R>(name, [
    ['account', 'bytea', (row) => row.account],
    ['code_hash', 'bytea', (row) => row.codeHash],
    ['data_hash', 'bytea', (row) => row.dataHash],
    ['last_tx_lt', 'int8', (row) => row.lastTxLt],
    ...columns,
  ])

export const assetTables: { readonly [K in AssetKind]: Table<AssetRow[K]> } = {
  jettonMasters: contractTable('jetton_masters', [
    ['total_supply', 'numeric', (row) => row.totalSupply],
    ['mintable', 'bool', (row) => row.mintable],
    ['admin', 'bytea', (row) => row.admin],
    ['content', 'json', (row) => contentOf(row.content)],
    ['wallet_code_hash', 'bytea', (row) => row.walletCodeHash],
    ['airdrop_root', 'bytea', (row) => row.airdropRoot],
  ]),
  jettonWallets: contractTable('jetton_wallets', [
    ['balance', 'numeric', (row) => row.balance],
    ['owner', 'bytea', (row) => row.owner],
    ['jetton', 'bytea', (row) => row.jetton],
    ['claimed', 'bool', (row) => row.claimed],
  ]),
  nftCollections: contractTable('nft_collections', [
    ['owner', 'bytea', (row) => row.owner],
    ['next_item_index', 'numeric', (row) => row.nextItemIndex],
    ['content', 'json', (row) => contentOf(row.content)],
  ]),
  nftItems: contractTable('nft_items', [
    ['init', 'bool', (row) => row.init],
    ['index', 'numeric', (row) => row.index],
    ['collection', 'bytea', (row) => row.collection],
    ['owner', 'bytea', (row) => row.owner],
    ['content', 'json', (row) => contentOf(row.content)],
  ]),
  nftSales: contractTable('nft_sales', [
    ['kind', 'text', (row) => row.kind],
    ['nft', 'bytea', (row) => row.nft],
    ['nft_owner', 'bytea', (row) => row.nftOwner],
    ['marketplace', 'bytea', (row) => row.marketplace],
    ['created_at', 'int8', (row) => row.createdAt],
    ['details', 'json', (row) => row.details],
  ]),
  dnsRecords: lastOne('dns_records', [
    ['account', 'bytea', (row) => row.account],
    ['domain', 'text', (row) => row.domain],
    ['owner', 'bytea', (row) => row.owner],
    ['wallet', 'bytea', (row) => row.wallet],
    ['next_resolver', 'bytea', (row) => row.nextResolver],
    ['site_adnl', 'bytea', (row) => row.siteAdnl],
    ['storage_bag', 'bytea', (row) => row.storageBag],
    ['max_bidder', 'bytea', (row) => row.maxBidder],
    ['max_bid', 'numeric', (row) => row.maxBid],
    ['auction_end', 'int8', (row) => row.auctionEnd],
    ['last_fill_up', 'int8', (row) => row.lastFillUp],
    ['last_tx_lt', 'int8', (row) => row.lastTxLt],
  ]),
  multisigs: contractTable('multisigs', [
    ['next_order_seqno', 'numeric', (row) => row.nextOrderSeqno],
    ['threshold', 'int8', (row) => row.threshold],
    ['signers', 'bytea[]', (row) => row.signers],
    ['proposers', 'bytea[]', (row) => row.proposers],
  ]),
  multisigOrders: contractTable('multisig_orders', [
    ['multisig', 'bytea', (row) => row.multisig],
    ['order_seqno', 'numeric', (row) => row.orderSeqno],
    ['threshold', 'int8', (row) => row.threshold],
    ['sent_for_execution', 'bool', (row) => row.sentForExecution],
    ['approvals_mask', 'numeric', (row) => row.approvalsMask],
    ['approvals_num', 'int8', (row) => row.approvalsNum],
    ['expiration_date', 'int8', (row) => row.expirationDate],
    ['signers', 'bytea[]', (row) => row.signers],
    ['order_boc', 'bytea', (row) => row.order],
  ]),
  vestings: contractTable('vestings', [
    ['start_time', 'int8', (row) => row.startTime],
    ['total_duration', 'int8', (row) => row.totalDuration],
    ['unlock_period', 'int8', (row) => row.unlockPeriod],
    ['cliff_duration', 'int8', (row) => row.cliffDuration],
    ['total_amount', 'numeric', (row) => row.totalAmount],
    ['sender', 'bytea', (row) => row.sender],
    ['owner', 'bytea', (row) => row.owner],
    ['whitelist', 'bytea[]', (row) => row.whitelist],
  ]),
  dedustPools: contractTable('dedust_pools', [
    ['asset_1', 'bytea', (row) => row.assets[0]],
    ['asset_2', 'bytea', (row) => row.assets[1]],
  ]),
}
