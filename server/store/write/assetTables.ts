// Tokens, names, sales, shared and locked wallets as their tables take them.

import type { AssetKind, AssetRow, Content, ContractRow } from '../assetRows.ts'
import { sql } from '../sql.ts'
import type { Table } from './bulk.ts'
import type { Columns } from './chainTables.ts'

export interface AssetTable<R> {
  readonly table: Table<Columns>
  readonly columns: (row: R) => Columns
}

type ColumnTypes = Table<Columns>['columns']

const contentOf = (content: Content | null): string | null => (content === null ? null : JSON.stringify(content))

/** What was said last stays; a contract that was changed by hand has the lt it had. */
function lastOne(name: string, columns: ColumnTypes): Table<Columns> {
  const table = sql.name(name)
  const changes = columns
    .filter(([column]) => column !== 'account')
    .map(([column]) => sql`${sql.name(column)} = excluded.${sql.name(column)}`)
  return {
    name,
    columns,
    onConflict: sql`on conflict (account) do update set ${sql.join(changes)}
      where ${table}.last_tx_lt <= excluded.last_tx_lt`,
  }
}

const CONTRACT: ColumnTypes = [
  ['account', 'bytea'],
  ['code_hash', 'bytea'],
  ['data_hash', 'bytea'],
  ['last_tx_lt', 'int8'],
]

const contractColumns = (row: ContractRow): Columns => ({
  account: row.account,
  code_hash: row.codeHash,
  data_hash: row.dataHash,
  last_tx_lt: row.lastTxLt,
})

function contractTable<R extends ContractRow>(
  name: string,
  columns: ColumnTypes,
  own: (row: R) => Columns,
): AssetTable<R> {
  return {
    table: lastOne(name, [...CONTRACT, ...columns]),
    columns: (row) => ({ ...contractColumns(row), ...own(row) }),
  }
}

export const assetTables: { readonly [K in AssetKind]: AssetTable<AssetRow[K]> } = {
  jettonMasters: contractTable(
    'jetton_masters',
    [
      ['total_supply', 'numeric'],
      ['mintable', 'bool'],
      ['admin', 'bytea'],
      ['content', 'json'],
      ['wallet_code_hash', 'bytea'],
    ],
    ({ totalSupply, mintable, admin, content, walletCodeHash }) => ({
      ...{ total_supply: totalSupply, mintable, admin },
      ...{ content: contentOf(content), wallet_code_hash: walletCodeHash },
    }),
  ),
  jettonWallets: contractTable(
    'jetton_wallets',
    [
      ['balance', 'numeric'],
      ['owner', 'bytea'],
      ['jetton', 'bytea'],
      ['claimed', 'bool'],
    ],
    ({ balance, owner, jetton, claimed }) => ({ balance, owner, jetton, claimed }),
  ),
  nftCollections: contractTable(
    'nft_collections',
    [
      ['owner', 'bytea'],
      ['next_item_index', 'numeric'],
      ['content', 'json'],
    ],
    ({ owner, nextItemIndex, content }) => ({ owner, next_item_index: nextItemIndex, content: contentOf(content) }),
  ),
  nftItems: contractTable(
    'nft_items',
    [
      ['init', 'bool'],
      ['index', 'numeric'],
      ['collection', 'bytea'],
      ['owner', 'bytea'],
      ['content', 'json'],
    ],
    ({ init, index, collection, owner, content }) => ({ init, index, collection, owner, content: contentOf(content) }),
  ),
  nftSales: contractTable(
    'nft_sales',
    [
      ['kind', 'text'],
      ['nft', 'bytea'],
      ['nft_owner', 'bytea'],
      ['marketplace', 'bytea'],
      ['created_at', 'int8'],
      ['details', 'json'],
    ],
    ({ kind, nft, nftOwner, marketplace, createdAt, details }) => ({
      ...{ kind, nft, nft_owner: nftOwner, marketplace, created_at: createdAt, details },
    }),
  ),
  dnsRecords: {
    table: lastOne('dns_records', [
      ['account', 'bytea'],
      ['domain', 'text'],
      ['owner', 'bytea'],
      ['wallet', 'bytea'],
      ['next_resolver', 'bytea'],
      ['site_adnl', 'bytea'],
      ['storage_bag', 'bytea'],
      ['max_bidder', 'bytea'],
      ['max_bid', 'numeric'],
      ['auction_end', 'int8'],
      ['last_fill_up', 'int8'],
      ['last_tx_lt', 'int8'],
    ]),
    columns: (row) => ({
      ...{ account: row.account, domain: row.domain, owner: row.owner, wallet: row.wallet },
      ...{ next_resolver: row.nextResolver, site_adnl: row.siteAdnl, storage_bag: row.storageBag },
      ...{ max_bidder: row.maxBidder, max_bid: row.maxBid, auction_end: row.auctionEnd },
      ...{ last_fill_up: row.lastFillUp, last_tx_lt: row.lastTxLt },
    }),
  },
  multisigs: contractTable(
    'multisigs',
    [
      ['next_order_seqno', 'numeric'],
      ['threshold', 'int8'],
      ['signers', 'bytea[]'],
      ['proposers', 'bytea[]'],
    ],
    ({ nextOrderSeqno, threshold, signers, proposers }) => ({
      ...{ next_order_seqno: nextOrderSeqno, threshold, signers, proposers },
    }),
  ),
  multisigOrders: contractTable(
    'multisig_orders',
    [
      ['multisig', 'bytea'],
      ['order_seqno', 'numeric'],
      ['threshold', 'int8'],
      ['sent_for_execution', 'bool'],
      ['approvals_mask', 'numeric'],
      ['approvals_num', 'int8'],
      ['expiration_date', 'int8'],
      ['signers', 'bytea[]'],
      ['order_boc', 'bytea'],
    ],
    (row) => ({
      ...{ multisig: row.multisig, order_seqno: row.orderSeqno, threshold: row.threshold },
      ...{ sent_for_execution: row.sentForExecution, approvals_mask: row.approvalsMask },
      ...{ approvals_num: row.approvalsNum, expiration_date: row.expirationDate },
      ...{ signers: row.signers, order_boc: row.order },
    }),
  ),
  vestings: contractTable(
    'vestings',
    [
      ['start_time', 'int8'],
      ['total_duration', 'int8'],
      ['unlock_period', 'int8'],
      ['cliff_duration', 'int8'],
      ['total_amount', 'numeric'],
      ['sender', 'bytea'],
      ['owner', 'bytea'],
      ['whitelist', 'bytea[]'],
    ],
    (row) => ({
      ...{ start_time: row.startTime, total_duration: row.totalDuration, unlock_period: row.unlockPeriod },
      ...{ cliff_duration: row.cliffDuration, total_amount: row.totalAmount },
      ...{ sender: row.sender, owner: row.owner, whitelist: row.whitelist },
    }),
  ),
}
