// The embedded chain: real blocks of a masterchain and a basechain with one shard, made by the real TVM, stored in a folder or
// in memory, for development against TON without a network.
// It promises that a block is on the disk before it is visible, that acknowledged messages survive a kill at any instant,
// that light clients can verify every proof, and that the same seed, clock and messages make the same chain. Blocks are
// made for each message, at intervals or on demand; the clock can be moved, and states can be named and reverted to.
// It knows nothing of HTTP, methods or SQL. On top of it are a lite server that proves its answers, and a `Chain` that reads
// the cells directly.

export type { AccountId } from '../node/index.ts'
export {
  type AccountDescription,
  broughtRequest,
  configOwnerKey,
  createFaucet,
  createSigner,
  describeAccounts,
  devWallets,
  EXTRA_CURRENCY,
  faucetAccount,
  type PluginOrder,
  USUAL_MODE,
  type WellKnownAccount,
  walletAccounts,
  walletOfKind,
  walletRequest,
  walletSeqno,
} from './accounts/index.ts'
export { type ArchivedChain, openArchivedChain } from './archivedChain.ts'
export { ChangeQueue, type HeadEvent } from './chain/index.ts'
export type { AccountName } from './collate/index.ts'
export {
  accountListCell,
  complaintPrices,
  electionParams,
  usualElections,
  validatorSetCell,
  WEIGHT,
} from './config/index.ts'
export {
  CONFIG_ACCOUNT,
  type ConfigChange,
  commentBody,
  complaintHash,
  complaintPrice,
  configRequest,
  configSeqno,
  contractCodes,
  type Deployment,
  type DeploymentPlace,
  deploymentOf,
  ELECTOR_ACCOUNT,
  ELECTOR_ADDRESS,
  electorComplaintBody,
  electorRecoverBody,
  electorStakeBody,
  electorVoteBody,
  noBlocksSince,
  type OutgoingMessage,
  operationBody,
  outgoingMessage,
  signedStake,
  snake,
  stateInit,
} from './contracts/index.ts'
export { type CausedTrace, checkAmount } from './control/index.ts'
export { chainCopyOrder } from './copyOrder.ts'
export type { DevchainOptions } from './devchainOptions.ts'
export { ForkRefused } from './fork/index.ts'
export { ReplayError } from './history/index.ts'
export type { JournalBlock } from './journal/index.ts'
export { LastTransactions, lastTransactionsOf } from './lastTransactions.ts'
export { createDevchainLiteServer, createEmbeddedChain } from './lite/index.ts'
export { LogError, LogFull, LogLocked } from './log/index.ts'
export { failDropped, MessageRefused, type RefusalReason } from './mempool/index.ts'
export { type Devchain, openDevchain } from './openDevchain.ts'
export { OtherChain } from './otherChain.ts'
export { removeChain } from './removeChain.ts'
export {
  type AccountPatch,
  BASECHAIN,
  type ChainState,
  dataAt,
  MASTERCHAIN,
  type MasterState,
  signedBytes,
} from './state/index.ts'
export type { Story, StoryProgress, StoryValidator } from './story/index.ts'
