// The room of the node side: where chain data comes from. `LiteServer` is the one interface everything above is written
// against, in the verbs of TON's own lite servers. The embedded chain is one such source; what its answers and those of
// strangers are worth is for the verifier to say.
// It promises that answers are those of the wire, byte for byte, with the proofs that go with them, and that a refusal is
// a LiteError with the code clients react to.
// It knows nothing of HTTP, of the store, or of what an answer will be used for.

export type * from './answers.ts'
export {
  type AccountId,
  type BlockIdExt,
  blockText,
  isSameBlock,
  MASTERCHAIN,
  type ShardId,
  WHOLE_SHARD,
  type ZeroStateId,
} from './blockId.ts'
export {
  type Chain,
  type ChainHead,
  type ChainProofs,
  type ChainTraits,
  type HeadReport,
  type HistoryQuery,
  type ListedName,
  masterBlock,
  type QueueSizes,
  type ReadOptions,
} from './chain.ts'
export {
  type AccountDescription,
  type AccountName,
  type AccountPatch,
  actorOf,
  type Caused,
  type Clocks,
  type Control,
  type ControlState,
  createCast,
  type Devchain,
  type DevchainOptions,
  demoParts,
  describeAccounts,
  LogError,
  LogFull,
  type MiningMode,
  messageOf,
  openDevchain,
  type Part,
  type Progress,
  ReplayError,
  removeChain,
  type Scene,
  TESTNET_GLOBAL_ID,
} from './devchain/index.ts'
export {
  createDevchainLiteServer,
  createEmbeddedChain,
  type DevchainLiteServer,
  type DevchainLiteServerOptions,
} from './devchain/lite/index.ts'
export { normalizedHash } from './devchain/mempool/index.ts'
export { LiteError, type LiteErrorKind, liteErrorCodes } from './errors.ts'
export {
  type AttemptOptions,
  type BlockQuery,
  chainParts,
  configParts,
  type DispatchMessagesQuery,
  type DispatchQueuesQuery,
  headerParts,
  type ListQuery,
  type LiteOptions,
  type LiteServer,
  runParts,
  type ValidatorStatsQuery,
} from './liteServer.ts'
export * from './pool/index.ts'
export { createRefusingChain } from './refusingChain.ts'
export * from './remote/index.ts'
export * from './verify/index.ts'
