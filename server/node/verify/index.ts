// The verifier: what a light client checks in a lite server's answers. Each function takes a trusted block id and an
// answer, and returns the checked values or throws a ProofError that names the fault.
// It promises that hostile answers cost no more than reading them, and that every returned value follows from the trusted
// id. It keeps nothing but what it has checked, known by all of its bytes, and makes no calls: trust comes from `verifyingBlockProof` and the caller's own first block.

export { type VerifiedAccount, verifyAccount, verifyPrunedAccount } from './account.ts'
export { KnownValidators, verifyingBlockProof } from './blockProof.ts'
export { type VerifiedConfig, verifyConfig } from './config.ts'
export { verifyDispatchMessages, verifyDispatchQueues } from './dispatchQueue.ts'
export type { HashedBlock } from './hashedBlock.ts'
export {
  type ProvenBlock,
  previousBlocksOf,
  stateHashOf,
  verifyBlockRoot,
  verifyHeader,
  verifyingBlock,
  type WholeBlock,
} from './header.ts'
export { KeptHistory } from './keptHistory.ts'
export {
  type MasterBlock,
  type ProvenPreviousBlocks,
  previousBlocksIn,
  verifyPreviousBlocks,
} from './previousBlocks.ts'
export { ProofError } from './proofError.ts'
export { LARGE_ANSWER, readAhead } from './readProof.ts'
export { isBehind, shardsMeet, verifyLookup, verifyShardBlockProof } from './shardLinks.ts'
export { leafOf, shardTopsOf, verifyShardInfo, verifyShards } from './shards.ts'
export {
  LIBRARIES_PER_QUERY,
  type VerifiedLibraries,
  verifyLibrariesWithProof,
  verifyQueueSize,
  verifyState,
  verifyValidatorStats,
} from './stateParts.ts'
export {
  MOST_AT_ONCE,
  type VerifiedList,
  type VerifiedTransaction,
  verifyBlockTransactions,
  verifyBlockTransactionsExt,
  verifyOneTransaction,
  verifyTransactions,
} from './transactions.ts'
export { currentValidators, type Validator, validatorListHash } from './validatorSet.ts'
