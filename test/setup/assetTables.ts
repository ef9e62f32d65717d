// Puts rows of tokens, names, sales and shared wallets into a store as they are.

import type {
  DnsRecordRow,
  JettonBurnRow,
  JettonMasterRow,
  JettonTransferRow,
  JettonWalletRow,
  MultisigOrderRow,
  MultisigRow,
  NftCollectionRow,
  NftItemRow,
  NftSaleRow,
  NftTransferRow,
  Sql,
  SqlValue,
  VestingRow,
} from '../../server/store/index.ts'
import { type Column, insertRows } from '../../server/store/write/bulk.ts'

export interface MetadataRow {
  readonly account: Uint8Array
  readonly uri: string
  readonly json: string | null
  readonly fetchedAt: number
}

export interface AssetRows {
  readonly masters: readonly JettonMasterRow[]
  readonly wallets: readonly JettonWalletRow[]
  readonly collections: readonly NftCollectionRow[]
  readonly items: readonly NftItemRow[]
  readonly sales: readonly NftSaleRow[]
  readonly records: readonly DnsRecordRow[]
  readonly multisigs: readonly MultisigRow[]
  readonly orders: readonly MultisigOrderRow[]
  readonly vestings: readonly VestingRow[]
  readonly jettonTransfers: readonly JettonTransferRow[]
  readonly burns: readonly JettonBurnRow[]
  readonly nftTransfers: readonly NftTransferRow[]
  readonly metadata: readonly MetadataRow[]
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Columns named as the fields of a row, by type. */
const fields = <R>(type: string, ...names: readonly (keyof R & string)[]): Column<R>[] =>
  // The cast: the fields named are of the column's type.
  names.map((name) => [snake(name), type, (row) => row[name] as SqlValue])

const insert = <R>(to: Sql, name: string, columns: readonly Column<R>[], rows: readonly R[]): Promise<void> =>
  insertRows(to, { name, columns }, rows)

type Contract = Pick<JettonMasterRow, 'account' | 'codeHash' | 'dataHash' | 'lastTxLt'>

const CONTRACT = [
  ...fields<Contract>('bytea', 'account', 'codeHash', 'dataHash'),
  ...fields<Contract>('int8', 'lastTxLt'),
]

const content: Column<{ readonly content: JettonMasterRow['content'] }> = [
  'content',
  'json',
  (row) => row.content && JSON.stringify(row.content),
]

const event = <R extends JettonBurnRow | JettonTransferRow | NftTransferRow>() => [
  ...fields<R>('bytea', 'txHash', 'traceId', 'responseDestination', 'customPayload'),
  ...fields<R>('int8', 'txLt', 'txNow'),
  ...fields<R>('bool', 'aborted'),
  ...fields<R>('numeric', 'queryId'),
]

export async function insertAssets(to: Sql, rows: Partial<AssetRows>): Promise<void> {
  await insertJettons(to, rows)
  await insertNfts(to, rows)
  await insertShared(to, rows)
}

async function insertJettons(
  to: Sql,
  { masters = [], wallets = [], jettonTransfers = [], burns = [] }: Partial<AssetRows>,
) {
  await insert(
    to,
    'jetton_masters',
    [
      ...CONTRACT,
      ...fields<JettonMasterRow>('numeric', 'totalSupply'),
      ...fields<JettonMasterRow>('bool', 'mintable'),
      ...fields<JettonMasterRow>('bytea', 'admin', 'walletCodeHash'),
      content,
    ],
    masters,
  )
  await insert(
    to,
    'jetton_wallets',
    [
      ...CONTRACT,
      ...fields<JettonWalletRow>('numeric', 'balance'),
      ...fields<JettonWalletRow>('bytea', 'owner', 'jetton'),
      ...fields<JettonWalletRow>('bool', 'claimed'),
    ],
    wallets,
  )
  await insert(
    to,
    'jetton_transfers',
    [
      ...event<JettonTransferRow>(),
      ...fields<JettonTransferRow>('bytea', 'source', 'destination', 'sourceWallet', 'jetton', 'forwardPayload'),
      ...fields<JettonTransferRow>('numeric', 'amount', 'forwardTonAmount'),
    ],
    jettonTransfers,
  )
  await insert(
    to,
    'jetton_burns',
    [
      ...event<JettonBurnRow>(),
      ...fields<JettonBurnRow>('bytea', 'owner', 'jettonWallet', 'jetton'),
      ...fields<JettonBurnRow>('numeric', 'amount'),
    ],
    burns,
  )
}

async function insertNfts(to: Sql, rows: Partial<AssetRows>) {
  const { collections = [], items = [], sales = [], nftTransfers = [], records = [], metadata = [] } = rows
  await insert(
    to,
    'nft_collections',
    [
      ...CONTRACT,
      ...fields<NftCollectionRow>('bytea', 'owner'),
      ...fields<NftCollectionRow>('numeric', 'nextItemIndex'),
      content,
    ],
    collections,
  )
  await insert(
    to,
    'nft_items',
    [
      ...CONTRACT,
      ...fields<NftItemRow>('bool', 'init'),
      ...fields<NftItemRow>('numeric', 'index'),
      ...fields<NftItemRow>('bytea', 'collection', 'owner'),
      content,
    ],
    items,
  )
  await insert(
    to,
    'nft_sales',
    [
      ...CONTRACT,
      ...fields<NftSaleRow>('text', 'kind'),
      ...fields<NftSaleRow>('bytea', 'nft', 'nftOwner', 'marketplace'),
      ...fields<NftSaleRow>('int8', 'createdAt'),
      ...fields<NftSaleRow>('json', 'details'),
    ],
    sales,
  )
  await insert(
    to,
    'nft_transfers',
    [
      ...event<NftTransferRow>(),
      ...fields<NftTransferRow>('bytea', 'nft', 'collection', 'oldOwner', 'newOwner', 'forwardPayload'),
      ...fields<NftTransferRow>('numeric', 'forwardAmount'),
    ],
    nftTransfers,
  )
  await insert(
    to,
    'dns_records',
    [
      ...fields<DnsRecordRow>('bytea', 'account', 'owner', 'wallet', 'nextResolver', 'siteAdnl', 'storageBag'),
      ...fields<DnsRecordRow>('bytea', 'maxBidder'),
      ...fields<DnsRecordRow>('text', 'domain'),
      ...fields<DnsRecordRow>('numeric', 'maxBid'),
      ...fields<DnsRecordRow>('int8', 'auctionEnd', 'lastFillUp', 'lastTxLt'),
    ],
    records,
  )
  await insert(
    to,
    'token_metadata',
    [
      ...fields<MetadataRow>('bytea', 'account'),
      ...fields<MetadataRow>('text', 'uri'),
      ...fields<MetadataRow>('json', 'json'),
      ...fields<MetadataRow>('int8', 'fetchedAt'),
    ],
    metadata,
  )
}

/** Accounts in lists of each other, once each. */
const pairs = <R>(rows: readonly R[], members: (row: R) => readonly Uint8Array[], account: (row: R) => Uint8Array) =>
  rows.flatMap((row) => {
    const once = new Map(members(row).map((member) => [Buffer.from(member).toString('hex'), member]))
    return [...once.values()].map((member) => ({ member, account: account(row) }))
  })

async function insertShared(to: Sql, { multisigs = [], orders = [], vestings = [] }: Partial<AssetRows>) {
  await insert(
    to,
    'multisigs',
    [
      ...CONTRACT,
      ...fields<MultisigRow>('numeric', 'nextOrderSeqno'),
      ...fields<MultisigRow>('int8', 'threshold'),
      ...fields<MultisigRow>('bytea[]', 'signers', 'proposers'),
    ],
    multisigs,
  )
  type Pair = { readonly member: Uint8Array; readonly account: Uint8Array }
  const bytes = (name: string, of: keyof Pair): Column<Pair> => [name, 'bytea', (row) => row[of]]
  const members = pairs(
    multisigs,
    (row) => [...row.signers, ...row.proposers],
    (row) => row.account,
  )
  await insert(to, 'multisig_members', [bytes('member', 'member'), bytes('multisig', 'account')], members)
  await insert(
    to,
    'multisig_orders',
    [
      ...CONTRACT,
      ...fields<MultisigOrderRow>('bytea', 'multisig'),
      ...fields<MultisigOrderRow>('numeric', 'orderSeqno', 'approvalsMask'),
      ...fields<MultisigOrderRow>('int8', 'threshold', 'approvalsNum', 'expirationDate'),
      ...fields<MultisigOrderRow>('bool', 'sentForExecution'),
      ...fields<MultisigOrderRow>('bytea[]', 'signers'),
      ['order_boc', 'bytea', (row: MultisigOrderRow) => row.order],
    ],
    orders,
  )
  await insert(
    to,
    'vestings',
    [
      ...CONTRACT,
      ...fields<VestingRow>('int8', 'startTime', 'totalDuration', 'unlockPeriod', 'cliffDuration'),
      ...fields<VestingRow>('numeric', 'totalAmount'),
      ...fields<VestingRow>('bytea', 'sender', 'owner'),
      ...fields<VestingRow>('bytea[]', 'whitelist'),
    ],
    vestings,
  )
  const listed = pairs(
    vestings,
    (row) => row.whitelist,
    (row) => row.account,
  )
  await insert(to, 'vesting_whitelists', [bytes('member', 'member'), bytes('vesting', 'account')], listed)
}
