// The store: what is indexed of a chain, rows in and rows out, in the SQL dialect of PostgreSQL.
//
// Either the embedded PGlite in a folder of its own, or any PostgreSQL; which one it is shows nowhere but in the options.
// A column becomes the same JavaScript value from both. It promises that a committed transaction outlives the process,
// that tables fit the program or it says what to do, that no statement of `read` runs for ever, and that whatever goes
// wrong is a StoreError with a code. It knows the values of `rows.ts` only: no cells, no chain, no wire.

export type { AccountFactsRow, ActionRow, ActionWrites, WrittenAction } from './actionRows.ts'
export type {
  AirdropAmount,
  AssetKind,
  AssetRow,
  AssetRows,
  Content,
  ContractRow,
  ContractsFound,
  DedustPoolRow,
  DnsRecordRow,
  JettonBurnRow,
  JettonMasterRow,
  JettonTransferRow,
  JettonWalletRow,
  MultisigOrderRow,
  MultisigRow,
  NftCollectionRow,
  NftItemRow,
  NftSaleKind,
  NftSaleRow,
  NftTransferRow,
  TokenMetadataRow,
  VestingRow,
} from './assetRows.ts'
export type {
  Database,
  Leadership,
  QueryOptions,
  Row,
  Sql,
  SqlText,
  SqlValue,
  TransactionOptions,
} from './database.ts'
export type { StoreErrorCode } from './errors.ts'
export { StoreError } from './errors.ts'
export {
  type KnownCode,
  type KnownToken,
  type OldTransaction,
  readCodes,
  readKnownTokens,
  readTransactionsOf,
} from './indexing/assetReads.ts'
export { type IndexState, readIndexState } from './indexing/indexState.ts'
export {
  type AccountData,
  type IndexedMaster,
  readAccountData,
  readAccountsAbove,
  readCodeHashes,
  readInterfaces,
  readKnownCodes,
  readMaster,
  readShardTops,
  readTracesWaitingFor,
  readUnfinishedTraces,
  tracesToClassifyRead,
  type UnfinishedTrace,
} from './indexing/reads.ts'
export { SCHEMA_STEP } from './migrations/index.ts'
export { NewestTransactions } from './newest.ts'
export { openDatabase } from './openDatabase.ts'
export type { Notice, StoreOptions } from './options.ts'
export {
  type AccountBalance,
  type AccountFilter,
  type AccountFound,
  accountsRead,
  type BookRow,
  bookRead,
  type TopPage,
  topAccountsRead,
} from './read/accounts.ts'
export { type ActionFilter, actionsOfTracesRead, actionsRead } from './read/actions.ts'
export { type Owed, readOwed } from './read/assets/airdrops.ts'
export { type AuctionFilter, type DnsFilter, dnsAuctionsRead, dnsRecordsRead } from './read/assets/dns.ts'
export {
  type JettonBurnFilter,
  type JettonTransferFilter,
  jettonBurnsRead,
  jettonTransfersRead,
  type NftTransferFilter,
  nftTransfersRead,
} from './read/assets/events.ts'
export {
  type JettonMasterFilter,
  type JettonWalletFilter,
  jettonMastersRead,
  jettonWalletsRead,
} from './read/assets/jettons.ts'
export {
  type MultisigFilter,
  multisigsRead,
  type OrderFilter,
  ordersOfRead,
  ordersRead,
} from './read/assets/multisigs.ts'
export {
  itemsRead,
  type NftCollectionFilter,
  type NftItemFilter,
  type NftItemFound,
  nftCollectionsRead,
  nftItemsRead,
  nftSalesRead,
  readItemParts,
} from './read/assets/nfts.ts'
export { type DescribedToken, describedTokensRead, type HeldJetton, heldJettonsRead } from './read/assets/tokens.ts'
export { type VestingFilter, vestingsRead } from './read/assets/vestings.ts'
export {
  type BlockFilter,
  blocksRead,
  indexedRead,
  indexTimeRead,
  masterRead,
  shardStateRead,
} from './read/blocks.ts'
export { transactionsByHashRead } from './read/byHash.ts'
export { type ByMessageFilter, transactionsByMessageRead } from './read/byMessage.ts'
export { dataRead, factsRead } from './read/facts.ts'
export { type MessageFilter, type MessageFound, messagesRead } from './read/messages.ts'
export { type Direction, type Key, KeyMismatch, type KeyPart, type Order } from './read/order.ts'
export { type Page, type PageAsk, type PagedRead, readPage } from './read/page.ts'
export { type Read, readAll } from './read/read.ts'
export { type SentFound, sentRead } from './read/sent.ts'
export { type TraceFilter, tracesRead, transactionsOfTracesRead } from './read/traces.ts'
export {
  readTransactionMessages,
  readTransactionParts,
  type TransactionFound,
  withMessages,
} from './read/transactionParts.ts'
export { adjacentRead, type TransactionFilter, transactionsRead } from './read/transactions.ts'
export type {
  AccountKey,
  AccountRow,
  AccountStateRow,
  AccountStatus,
  BlockKey,
  BlockRow,
  ClassificationState,
  CodeRow,
  CursorRow,
  ExtraCurrencies,
  IdentityRow,
  MessageKind,
  MessageRow,
  PendingEdgeRow,
  SentMessage,
  ShardTopRow,
  TakingTransaction,
  TraceAccountRow,
  TraceRow,
  TraceState,
  TransactionRow,
} from './rows.ts'
export { sql } from './sql.ts'
export { markClassified, markTraces, writeActions } from './write/actions.ts'
export { noteAirdrop, readWantedAirdrop, type WantedAirdrop, writeAirdropAmounts } from './write/airdrops.ts'
export { adoptIdentity, writeIdentity } from './write/identity.ts'
export { type MasterBlockRows, writeMasterBlocks } from './write/masterBlocks.ts'
export {
  type MetadataResult,
  readWantedMetadata,
  type WantedMetadata,
  writeMetadata,
} from './write/metadata.ts'
export { forgetAll, type Rollback, rollbackTo } from './write/rollback.ts'
