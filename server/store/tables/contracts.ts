// Tokens, names, sales, shared and locked wallets. A row holds what its contract said after its transaction `lastTxLt`; the
// row of a contract that is gone is deleted.

import { sql } from '../sql.ts'
import {
  type AccountKey,
  account,
  bool,
  bytea,
  byteaList,
  generated,
  int4,
  int8,
  json,
  named,
  nullable,
  numeric,
  oneOf,
  parsedJson,
  text,
} from './column.ts'
import type { Fields, RowOf } from './fields.ts'
import { type RowFrom, type TableDefinition, table } from './table.ts'

/** Attributes of a token by name (TEP-64). */
export type ContentAttributes = Readonly<Record<string, string>>

const content = nullable(parsedJson<ContentAttributes>(JSON.parse, JSON.stringify))

/**
 * The newest row replaces older ones. `<=`: `dev.setAccount` changes a contract without a transaction, so its lt stays the same, or
 * is 0 when the contract was deleted before.
 */
const newest = <F extends Fields>(name: string, fields: F & { readonly account: typeof account }): TableDefinition<F> =>
  table<F>(name, fields, {
    onConflict: {
      key: 'account',
      where: sql`${sql.identifier(name)}.last_tx_lt <= excluded.last_tx_lt or excluded.last_tx_lt = 0`,
    },
  })

/** What every contract has that was recognized. */
const contractFields = { account, codeHash: bytea, dataHash: bytea, lastTxLt: int8 }

export type ContractRow = RowOf<typeof contractFields>

const jettonMasters = newest('jetton_masters', {
  ...contractFields,
  totalSupply: numeric,
  mintable: bool,
  admin: nullable(account),
  content,
  walletCodeHash: bytea,
  /** Hash of the dictionary of first amounts that owners claim with a proof; null for a jetton without one. */
  airdropRoot: nullable(bytea),
})

const jettonWallets = newest('jetton_wallets', {
  ...contractFields,
  balance: numeric,
  owner: account,
  jetton: account,
  /** Of a wallet whose first amount is claimed with a proof: whether it was; null for any other. */
  claimed: nullable(bool),
})

const nftCollections = newest('nft_collections', {
  ...contractFields,
  owner: nullable(account),
  nextItemIndex: numeric,
  content,
})

const nftItems = newest('nft_items', {
  ...contractFields,
  init: bool,
  index: numeric,
  collection: nullable(account),
  owner: nullable(account),
  content,
  /** The collection, with items without one last: a page can begin in the middle of those. */
  collectionPlace: generated(bytea),
})

const saleKind = oneOf('sale', 'auction', 'telemint')
export type NftSaleKind = ReturnType<typeof saleKind.decode>

const nftSales = newest('nft_sales', {
  ...contractFields,
  kind: saleKind,
  /** The item that is sold; the contract itself when it is both. */
  nft: account,
  nftOwner: nullable(account),
  marketplace: nullable(account),
  createdAt: nullable(int8),
  /** The rest as JSON, in the names and forms of the wire. */
  details: json,
})

const dnsRecords = newest('dns_records', {
  /** The item of the name. */
  account,
  domain: text,
  domainLength: generated(int4),
  owner: nullable(account),
  wallet: nullable(account),
  nextResolver: nullable(account),
  siteAdnl: nullable(bytea),
  storageBag: nullable(bytea),
  maxBidder: nullable(account),
  maxBid: nullable(numeric),
  auctionEnd: nullable(int8),
  lastFillUp: nullable(int8),
  lastTxLt: int8,
})

const multisigs = newest('multisigs', {
  ...contractFields,
  nextOrderSeqno: numeric,
  threshold: int8,
  signers: byteaList,
  proposers: byteaList,
})

const multisigOrders = newest('multisig_orders', {
  ...contractFields,
  multisig: account,
  orderSeqno: numeric,
  threshold: int8,
  sentForExecution: bool,
  approvalsMask: numeric,
  approvalsNum: int8,
  expirationDate: int8,
  signers: byteaList,
  /** Bag of cells without CRC. */
  order: named('order_boc', bytea),
})

const vestings = newest('vestings', {
  ...contractFields,
  startTime: int8,
  totalDuration: int8,
  unlockPeriod: int8,
  cliffDuration: int8,
  totalAmount: numeric,
  sender: account,
  owner: account,
  whitelist: byteaList,
})

/** What a pool of DeDust exchanges: masters of jettons; null is TON. */
const dedustPools = newest('dedust_pools', {
  ...contractFields,
  asset1: named('asset_1', nullable(account)),
  asset2: named('asset_2', nullable(account)),
})

/** Contracts by detected kind. A contract can have several kinds. */
export const contractTables = {
  jettonMasters,
  jettonWallets,
  nftCollections,
  nftItems,
  nftSales,
  dnsRecords,
  multisigs,
  multisigOrders,
  vestings,
  dedustPools,
}

export type AssetKind = keyof typeof contractTables
export type AssetRow = { readonly [K in AssetKind]: RowFrom<(typeof contractTables)[K]> }

export type JettonMasterRow = AssetRow['jettonMasters']
export type JettonWalletRow = AssetRow['jettonWallets']
export type NftCollectionRow = AssetRow['nftCollections']
export type NftItemRow = AssetRow['nftItems']
export type NftSaleRow = AssetRow['nftSales']
export type DnsRecordRow = AssetRow['dnsRecords']
export type MultisigRow = AssetRow['multisigs']
export type MultisigOrderRow = AssetRow['multisigOrders']
export type VestingRow = AssetRow['vestings']
export type DedustPoolRow = AssetRow['dedustPools']

/** Detected kinds of some contracts. */
export interface ContractsFound {
  /** Rows by kind, at most one for each account. */
  readonly found: { readonly [K in AssetKind]: readonly AssetRow[K][] }
  /** Accounts that may have rows from earlier: rows of kinds that were not detected again are deleted. */
  readonly checked: readonly AccountKey[]
}

/** Accounts that may sign or propose, by multisig; each with the last transaction of the multisig, by which those of a member are listed. */
export const multisigMembers = table(
  'multisig_members',
  { member: account, multisig: account, lastTxLt: int8 },
  { onConflict: 'keep' },
)

/** Accounts that locked TON may be sent to, by vesting. */
export const vestingWhitelists = table(
  'vesting_whitelists',
  { member: account, vesting: account },
  { onConflict: 'keep' },
)
