// What contracts say of tokens, names, sales and shared wallets, row by row. A row holds what its contract said last,
// after its transaction `lastTxLt`; one whose contract is gone is gone as well.

import type { AccountKey } from './rows.ts'

/** What is kept of every contract that was told apart. */
export interface ContractRow {
  readonly account: AccountKey
  readonly codeHash: Uint8Array
  readonly dataHash: Uint8Array
  readonly lastTxLt: bigint
}

/** Attributes of a token by name (TEP-64). */
export type Content = Readonly<Record<string, string>>

export interface JettonMasterRow extends ContractRow {
  readonly totalSupply: bigint
  readonly mintable: boolean
  readonly admin: AccountKey | null
  readonly content: Content | null
  readonly walletCodeHash: Uint8Array
  /** Names the first amounts that owners claim with a proof; null for a jetton without any. */
  readonly airdropRoot: Uint8Array | null
}

/** A first amount of somebody, which a wallet has once it is claimed. */
export interface AirdropAmount {
  readonly owner: AccountKey
  readonly amount: bigint
  /** Unix seconds between which it can be claimed. */
  readonly startFrom: bigint
  readonly expireAt: bigint
}

export interface JettonWalletRow extends ContractRow {
  readonly balance: bigint
  readonly owner: AccountKey
  readonly jetton: AccountKey
  /** Of a wallet whose first amount is claimed with a proof: whether it was; null for any other. */
  readonly claimed: boolean | null
}

export interface NftCollectionRow extends ContractRow {
  readonly owner: AccountKey | null
  readonly nextItemIndex: bigint
  readonly content: Content | null
}

export interface NftItemRow extends ContractRow {
  readonly init: boolean
  readonly index: bigint
  readonly collection: AccountKey | null
  readonly owner: AccountKey | null
  readonly content: Content | null
}

export type NftSaleKind = 'sale' | 'auction' | 'telemint'

export interface NftSaleRow extends ContractRow {
  readonly kind: NftSaleKind
  /** The item that is sold; the contract itself when it is both. */
  readonly nft: AccountKey
  readonly nftOwner: AccountKey | null
  readonly marketplace: AccountKey | null
  readonly createdAt: bigint | null
  /** The rest as JSON, in the names and forms of the wire. */
  readonly details: string
}

export interface DnsRecordRow {
  /** The item that stands for the name. */
  readonly account: AccountKey
  readonly domain: string
  readonly owner: AccountKey | null
  readonly wallet: AccountKey | null
  readonly nextResolver: AccountKey | null
  readonly siteAdnl: Uint8Array | null
  readonly storageBag: Uint8Array | null
  readonly maxBidder: AccountKey | null
  readonly maxBid: bigint | null
  readonly auctionEnd: bigint | null
  readonly lastFillUp: bigint | null
  readonly lastTxLt: bigint
}

export interface MultisigRow extends ContractRow {
  readonly nextOrderSeqno: bigint
  readonly threshold: bigint
  readonly signers: readonly AccountKey[]
  readonly proposers: readonly AccountKey[]
}

export interface MultisigOrderRow extends ContractRow {
  readonly multisig: AccountKey
  readonly orderSeqno: bigint
  readonly threshold: bigint
  readonly sentForExecution: boolean
  readonly approvalsMask: bigint
  readonly approvalsNum: bigint
  readonly expirationDate: bigint
  readonly signers: readonly AccountKey[]
  /** Bag of cells without CRC. */
  readonly order: Uint8Array
}

export interface VestingRow extends ContractRow {
  readonly startTime: bigint
  readonly totalDuration: bigint
  readonly unlockPeriod: bigint
  readonly cliffDuration: bigint
  readonly totalAmount: bigint
  readonly sender: AccountKey
  readonly owner: AccountKey
  readonly whitelist: readonly AccountKey[]
}

/** What a pool of DeDust exchanges. */
export interface DedustPoolRow extends ContractRow {
  /** Masters of jettons; null is TON. */
  readonly assets: readonly [AccountKey | null, AccountKey | null]
}

/** Something a token's contract did, by the transaction that did it. */
interface TokenEventRow {
  readonly txHash: Uint8Array
  readonly txLt: bigint
  readonly txNow: number
  readonly aborted: boolean
  readonly traceId: Uint8Array
  readonly queryId: bigint
  readonly responseDestination: AccountKey | null
  /** Bags of cells with CRC32C. */
  readonly customPayload: Uint8Array | null
}

export interface JettonTransferRow extends TokenEventRow {
  readonly source: AccountKey
  readonly destination: AccountKey
  readonly amount: bigint
  readonly sourceWallet: AccountKey
  readonly jetton: AccountKey
  readonly forwardTonAmount: bigint | null
  readonly forwardPayload: Uint8Array | null
}

export interface JettonBurnRow extends TokenEventRow {
  readonly owner: AccountKey
  readonly jettonWallet: AccountKey
  readonly jetton: AccountKey
  readonly amount: bigint
}

export interface NftTransferRow extends TokenEventRow {
  readonly nft: AccountKey
  readonly collection: AccountKey | null
  readonly oldOwner: AccountKey
  readonly newOwner: AccountKey
  readonly forwardAmount: bigint | null
  readonly forwardPayload: Uint8Array | null
}

/** What was fetched for a token from outside the chain. */
export interface TokenMetadataRow {
  readonly account: AccountKey
  readonly uri: string
  /** Null when it could not be read. */
  readonly json: string | null
  readonly fetchedAt: number
}

/** A row of what contracts are, by kind. A contract can be of several. */
export interface AssetRow {
  readonly jettonMasters: JettonMasterRow
  readonly jettonWallets: JettonWalletRow
  readonly nftCollections: NftCollectionRow
  readonly nftItems: NftItemRow
  readonly nftSales: NftSaleRow
  readonly dnsRecords: DnsRecordRow
  readonly multisigs: MultisigRow
  readonly multisigOrders: MultisigOrderRow
  readonly vestings: VestingRow
  readonly dedustPools: DedustPoolRow
}

export type AssetKind = keyof AssetRow

/** What is known of contracts after they were looked at. */
export interface ContractsFound {
  /** Of each kind, each account once. */
  readonly found: { readonly [K in AssetKind]: readonly AssetRow[K][] }
  /** Accounts that tables may have old rows of: of a kind they are not found to be they are no more. */
  readonly checked: readonly AccountKey[]
}

/** What one masterchain block, or several that follow each other, say of contracts and of what tokens did. */
export interface AssetRows extends ContractsFound {
  readonly jettonTransfers: readonly JettonTransferRow[]
  readonly jettonBurns: readonly JettonBurnRow[]
  readonly nftTransfers: readonly NftTransferRow[]
}
