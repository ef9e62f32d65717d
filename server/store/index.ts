// The store: what is indexed of a chain, rows in and rows out, from the embedded PGlite in a folder of its own or any PostgreSQL: a
// column becomes the same JavaScript value from both. A committed transaction outlives the process, every statement has a time limit,
// and each failure is a StoreError with a code. It knows the rows of `tables/` only: no cells, no chain, no wire.

export { bareText, readBareTable } from './bareTable.ts'
export type { Database, Leadership, MasterId, Sql, SqlRow, SqlText, SqlValue, StatementOptions } from './database.ts'
export type { BlockRows } from './feed/blockRows.ts'
export { BlockNotIndexed, type BlockRowsFeed, demandIndexed, type FeedItem } from './feed/blockRowsFeed.ts'
export { readConcerningBlocks } from './feed/concerningBlocks.ts'
export { IndexFeed } from './feed/indexFeed.ts'
export { Reverts } from './feed/noticedReverts.ts'
export { allActionsRead, readMasterHashes } from './feed/readBlocks.ts'
export { fittingMembers, shortestMembers } from './fittingMembers.ts'
export { addToGroup, groupBy } from './groupBy.ts'
export {
  type KnownToken,
  type OldTransaction,
  readCodes,
  readKnownTokens,
  readTransactionsOf,
} from './indexing/assetReads.ts'
export { type FirstBlock, type IndexState, readIndexState } from './indexing/readIndexState.ts'
export {
  readAccountData,
  readAccountsAbove,
  readAccountsLacking,
  readAccountsWithoutState,
  readIndexedCodes,
  readInterfaces,
  readKnownCodes,
  readLastTransactions,
  readMaster,
  readShardTops,
  readTracesWaitingFor,
  readUnfinishedTraces,
  tracesToClassifyRead,
  type UnfinishedTrace,
} from './indexing/reads.ts'
export { type IndexedPool, readIndexedPool, readPoolAccounts, readStakingStart } from './indexing/stakingReads.ts'
export { changeKeyRows, type KeyRow, type KeyRowChange, readKeyRows, writeKeyUses } from './keys/keyRows.ts'
export { changePlanRows, countKeysOfPlan, deletePlanRow, putPlanRow, readPlanRows } from './keys/planRows.ts'
export type { CountedUsage, UsageBatch, UsageRange } from './keys/usageRows.ts'
export { addUsage, readMonths, readUsage, removeUsage } from './keys/usageRows.ts'
export { SCHEMA_STEP } from './migrations/index.ts'
export { isMoveOpen, type Moved, type MoveProgress, moveIndex } from './moveIndex.ts'
export { NewestTransactions } from './newest.ts'
export { openDatabase, planOfDatabase } from './openDatabase.ts'
export { MARK_LENGTH } from './packed/codes.ts'
export { holeOf, packText } from './packed/packedText.ts'
export { TextBytes } from './packed/textBytes.ts'
export { type LeftOut, marksOf, UnpackedText } from './packed/unpackedText.ts'
export { READS_AHEAD, TIMES_ALONE } from './pglite/sessionTurns.ts'
export {
  type AccountFound,
  type AccountNames,
  accountsRead,
  type BookRow,
  bookRead,
  type NamedAccount,
  topAccountsRead,
} from './read/accounts.ts'
export type { ActionFilter } from './read/actionFilter.ts'
export { actionSizes, type ListedAction, readActionPage, readListedActions } from './read/actionPage.ts'
export { actionsOfAccountRead, actionsOfTracesRead, actionsRead } from './read/actions.ts'
export { type Owed, readOwed } from './read/assets/airdrops.ts'
export { type AuctionFilter, type DnsFilter, dnsAuctionsRead, dnsRecordsRead } from './read/assets/dns.ts'
export { eventPages, type ListedBurn, type ListedItemTransfer, type ListedTransfer } from './read/assets/eventPage.ts'
export {
  type JettonBurnFilter,
  type JettonTransferFilter,
  jettonBurnsRead,
  jettonTransfersRead,
  type NftTransferFilter,
  nftTransfersRead,
} from './read/assets/events.ts'
export { jettonMastersRead, jettonWalletsRead } from './read/assets/jettons.ts'
export { multisigsRead, ordersOfRead, ordersRead } from './read/assets/multisigs.ts'
export {
  itemOwnersRead,
  itemsRead,
  type NftItemFilter,
  type NftItemFound,
  nftCollectionsRead,
  nftItemsRead,
  nftSalesRead,
  readItemPage,
  readItemParts,
} from './read/assets/nfts.ts'
export { type DescribedToken, type HeldJetton, heldJettonsRead } from './read/assets/tokens.ts'
export { type VestingFilter, vestingsRead } from './read/assets/vestings.ts'
export { type BalanceFilter, balancesRead } from './read/balances.ts'
export { BLOCK_COLUMNS, columnOfBlock, nameOfBlock, readBlockNames, readBlockPage } from './read/blockPage.ts'
export {
  blocksRead,
  indexedRead,
  indexTimeRead,
  type KeptFrom,
  keptFromRead,
  masterRead,
  shardStateRead,
} from './read/blocks.ts'
export {
  endsOfMessagesRead,
  readTransactionsByHash,
  transactionsByHashRead,
  transactionsByMessageRead,
} from './read/byMessage.ts'
export { type AccountFactsRow, type DataFound, dataRead, factRows, LONGEST_DATA } from './read/facts.ts'
export { accountBytesOf, accountsAlone, listBytesOf, messageBytesOf, type SizedList } from './read/listBytes.ts'
export type { MessageFilter } from './read/messageFilter.ts'
export { COLUMNS_OF_MESSAGE, columnOfMessage, messageSizes, readMessagePage } from './read/messagePage.ts'
export { messagesRead } from './read/messages.ts'
export { readNamed, readNamedPage } from './read/namedPage.ts'
export { NumbersInText, numbersOfRow } from './read/numbersOfTexts.ts'
export { type PageKey, PageKeyMismatch, type PageKeyPart, type RowOrder, type SortDirection } from './read/order.ts'
export { type PagedRead, type PageRequest, readPage } from './read/page.ts'
export { accountsOfTraceRead, lastOfTraceRead, unpackAccounts, unpackNames } from './read/partsOfTrace.ts'
export { readAll, type StoreRead } from './read/read.ts'
export {
  accountsInRead,
  accountsOfCodeRead,
  byHashRead,
  domainsByPrefixRead,
  type FoundHash,
  type FoundToken,
  hashesInRead,
  type KeyRange,
  nearestBlockRead,
  neighbouringAccountsRead,
  neighbouringDomainsRead,
  neighbouringHashesRead,
  neighbouringNamesRead,
  type SearchedBlock,
  tokensByNameRead,
} from './read/search.ts'
export { type SentFound, sentRead } from './read/sent.ts'
export { type ShownAccount, shownAccountsRead, toShownAccount } from './read/shownAccounts.ts'
export type { ReadSidePage } from './read/sidePage.ts'
export { readSides, type Sides, type SideWishes } from './read/sides.ts'
export {
  type Accused,
  accusedRead,
  type CycleMember,
  complaintsOfCyclesRead,
  complaintsRead,
  cycleMembersRead,
  cyclesRead,
  type ElectedCycle,
  electedCyclesRead,
  type Voter,
  votersRead,
} from './read/staking/cycles.ts'
export {
  electionsRead,
  type ParticipantFound,
  participantsRead,
  stakeEventsRead,
  type ValidatorFilter,
} from './read/staking/elections.ts'
export { nominatorEventsRead, poolRead, poolsOfRead, poolValidatorEventsRead } from './read/staking/pools.ts'
export { stakingSinceRead, type TimeWindow } from './read/staking/times.ts'
export { type StatisticsFilter, statisticsRead } from './read/statistics.ts'
export {
  hashesOfRow,
  readTextProgress,
  readTexts,
  rowsToWriteRead,
  type StoredText,
  type TextPage,
  type TextSource,
  type TransactionPlace,
} from './read/texts.ts'
export { type TimeAndLtBounds, withTimesOfLts } from './read/timesOfLts.ts'
export {
  readTransactionsOfTraces,
  type TraceFilter,
  tracesRead,
  transactionsOfAccountRead,
  transactionsOfTracesRead,
} from './read/traces.ts'
export {
  type MostTransactions,
  type PageOfTraces,
  readTracePage,
  readTraceTexts,
  type TextWishes,
  type TraceText,
  type TraceTexts,
} from './read/traceTexts.ts'
export {
  JoinedMessages,
  readTransactionMessages,
  readTransactionParts,
  type TransactionFound,
} from './read/transactionParts.ts'
export { adjacentRead, nodesOfTraceRead, type TransactionFilter, transactionsRead } from './read/transactions.ts'
export { searchText } from './searchText.ts'
export { ByteSpan, base64OfSpan, charsOfSpan, Repeated } from './span.ts'
export { sql } from './sql.ts'
export { StoreError, type StoreErrorCode } from './storeError.ts'
export type { StoreOptions } from './storeOptions.ts'
export type { AccountRow, AccountStateRow, CodeRow } from './tables/accounts.ts'
export type { ActionRow, WrittenAction } from './tables/actions.ts'
export type {
  BlockKey,
  BlockRow,
  MessageRow,
  ShardTopRow,
  SharedBagRow,
  TransactionRow,
  WrittenMessage,
  WrittenTransaction,
} from './tables/chain.ts'
export type { AccountKey, ExtraCurrencyAmounts } from './tables/column.ts'
export type {
  AssetKind,
  AssetRow,
  ContentAttributes,
  ContractRow,
  ContractsFound,
  DedustPoolRow,
  DnsRecordRow,
  JettonMasterRow,
  JettonWalletRow,
  MultisigOrderRow,
  MultisigRow,
  NftCollectionRow,
  NftItemRow,
  NftSaleRow,
  VestingRow,
} from './tables/contracts.ts'
export type {
  ComplaintRow,
  CycleRow,
  CycleValidatorRow,
  ElectionParticipantRow,
  ElectionRow,
  FrozenStakeRow,
  PastElectionRow,
} from './tables/elections.ts'
export type { JettonBurnRow, JettonTransferRow, NftOwnersRow, NftTransferRow, WrittenEvent } from './tables/events.ts'
export { type BatchCursor, type CursorRow, firstKept, type IdentityRow } from './tables/indexState.ts'
export type { AirdropAmount, TokenMetadataRow } from './tables/offChain.ts'
export type {
  LedgerEventType,
  NominatorEventRow,
  NominatorEventType,
  NominatorPoolRow,
  PoolNominatorRow,
  PoolValidatorEventRow,
  StakeEventRow,
  StakingStartRow,
} from './tables/staking.ts'
export { type BlockRange, LACKS, type TextProgressRow } from './tables/texts.ts'
export type { PendingEdgeRow, TraceAccountRow, TraceRow } from './tables/traces.ts'
export { addWebhookAccounts, readWebhookAccounts, removeWebhookAccounts } from './webhooks/webhookAccounts.ts'
export {
  addWebhookRow,
  claimWebhook,
  countWebhookAccounts,
  countWebhookOpcodes,
  countWebhookParts,
  countWebhooks,
  deleteWebhookRow,
  type ListedWebhook,
  lockWebhook,
  lockWebhooks,
  noteAttempts,
  readDeliveries,
  readWebhookOpcodes,
  readWebhookRevisions,
  readWebhookRows,
  readWebhooksMark,
  setWebhookOpcode,
  storeWebhookCursors,
  touchWebhook,
  type WebhookAttempt,
  type WebhookChange,
  type WebhookCursor,
  type WebhookDeliveryRow,
  type WebhookRow,
} from './webhooks/webhookRows.ts'
export { RowPlaces } from './wire/rowPlaces.ts'
export { type ActionWrites, markClassified, markTraces, writeActions } from './write/actions.ts'
export { noteAirdrop, type QueuedAirdrop, readDueAirdrops, readQueuedAirdrop, writeOwed } from './write/airdrops.ts'
export type { AssetRows } from './write/assets.ts'
export type { DueLink } from './write/dueLinks.ts'
export { adoptIdentity, writeIdentity } from './write/identity.ts'
export { fillItemOwners, type ItemLook } from './write/itemOwners.ts'
export type { ItemRequest } from './write/itemSteps.ts'
export { lockIndex, lockIndexAt, writtenByAnother } from './write/lockIndex.ts'
export { type MasterBlockRows, writeMasterBlocks } from './write/masterBlocks.ts'
export { type MetadataResult, readDueMetadata, readQueuedMetadata, writeMetadata } from './write/metadata.ts'
export { moveBound, type PrunedSlice, pruneSlice } from './write/prune.ts'
export { forgetAllRows, type Rollback, rollbackTo } from './write/rollback.ts'
export { sharedBagsOf } from './write/sharedBags.ts'
export type { StakingRows } from './write/staking.ts'
export { advanceTexts, beginTexts, type MadeText, writeTexts } from './write/texts.ts'
