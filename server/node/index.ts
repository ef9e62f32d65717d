// The room of the node side: where chain data comes from. `LiteServer` is the one interface everything above is written
// against, in the verbs of TON's own lite servers; the verifier turns answers into checked values. The embedded chain is one
// such source, in a room of its own.
// It promises that answers are those of the wire, byte for byte, with their proofs, and that every refusal is a LiteError
// with the code clients react to.
// It knows nothing of HTTP, of the store, or of what an answer will be used for.

export { type AdnlListener, createAdnlListener, type OnQuery } from './adnl/index.ts'
export { blockAtHeight } from './blockAtHeight.ts'
export {
  type AccountId,
  type BlockIdExt,
  blockText,
  fullBlockText,
  isSameBlock,
  MASTERCHAIN,
  NO_BLOCK,
  prefixOf,
  type ShardId,
  shardHolds,
  shardText,
  WHOLE_SHARD,
  type ZeroStateId,
} from './blockId.ts'
export type {
  Chain,
  ChainHead,
  ChainProofs,
  ChainTraits,
  HeadReport,
  ListedName,
  QueueSizes,
  ReadOptions,
} from './chain.ts'
export { chainForShare } from './chainForShare.ts'
export { type ComparedClocks, clocksApart, signedByComputer } from './comparedClocks.ts'
export { connectLiteServer } from './connectLiteServer.ts'
export {
  type Examination,
  type ExamStep,
  examineServer,
  type Fault,
  type ReachedKey,
  type StepName,
} from './examineServer.ts'
export type * from './liteAnswers.ts'
export { answerLiteQuery } from './liteApi/index.ts'
export { ChangeDropped, LiteError, type LiteErrorKind, liteErrorOfRun, StorageError } from './liteErrors.ts'
export {
  type BlockQuery,
  chainParts,
  configParts,
  type DispatchMessagesQuery,
  type DispatchQueuesQuery,
  type HistoryQuery,
  headerParts,
  INDEX_SHARE,
  type ListQuery,
  type LiteOptions,
  type LiteServer,
  type MethodQuery,
  runParts,
  type ShardQuery,
  type ValidatorStatsQuery,
} from './liteServer.ts'
export { lookupMode, lookupParts } from './lookupParts.ts'
export { type AccountAt, type AccountReader, accountAt, masterBlock, readAccount } from './masterReads.ts'
export { checkMethodQuery } from './methodQuery.ts'
export {
  isCompact,
  MOST_CONFIG_BYTES,
  type NetworkConfig,
  NetworkConfigError,
  parseNetworkConfig,
} from './networkConfig.ts'
export { type HistoryNews, NOT_HERE, NotHere } from './notHere.ts'
export { placeText } from './placeText.ts'
export {
  type Connect,
  createServerPool,
  type LiteConnection,
  OTHER_NETWORK,
  readingVerbs,
  type ServerAddress,
  type ServerPool,
} from './pool/index.ts'
export { signaturesOf, stepsBack } from './proofSteps.ts'
export {
  ChainReverted,
  createRemoteChain,
  createRepeatedSending,
  createTrustFile,
  createVerifiedLiteServer,
  GivenHeads,
  keptRecord,
  type MethodRunner,
  openTrust,
  type ProofPolicy,
  type ProvenHead,
  publicStart,
  type RepeatedSending,
  rememberAnswers,
  type SyncReport,
  startOf,
  syncText,
  Trust,
  TrustError,
  type TrustStart,
  trustErrorIn,
} from './remote/index.ts'
export { followReverts } from './reverts.ts'
export { skewOfMost } from './skewOfMost.ts'
export { inListOrder, type ListedTransaction, MOST_LISTED } from './transactionOrder.ts'
export {
  currentValidators,
  LIBRARIES_PER_QUERY,
  leafOf,
  type MasterBlock,
  ProofError,
  type ProvenBlock,
  type ProvenPreviousBlocks,
  previousBlocksIn,
  previousBlocksOf,
  shardsMeet,
  shardTopsOf,
  type Validator,
  type VerifiedAccount,
  type VerifiedConfig,
  type VerifiedLibraries,
  type VerifiedList,
  type VerifiedTransaction,
  validatorListHash,
  verifyBlockRoot,
  verifyHeader,
  verifyShardBlockProof,
  type WholeBlock,
} from './verify/index.ts'
export { FURTHEST_WAIT, LONGEST_WAIT_MS, tooFar } from './waitLimits.ts'
