// The embedded chain: real blocks of a masterchain and a basechain with one shard, made by the real TVM, kept in a folder or
// in memory, for development against TON without a network.
// It promises that a block is on the disk before anybody hears of it, that what was acknowledged survives a kill at any
// instant, that light clients can follow it with full checking of proofs, and that the same seed, clock and messages make the
// same chain. Blocks come of messages at once, at intervals or on demand; time can be moved, states named and returned to.
// It knows nothing of HTTP, methods or SQL. Over it stand a lite server that proves its answers, and a `Chain` straight from
// the cells.

export {
  type AccountDescription,
  broughtRequest,
  configOwnerKey,
  createFaucet,
  createSigner,
  describeAccounts,
  EXTRA_CURRENCY,
  type Faucet,
  faucetAccount,
  furtherWallet,
  mostMessages,
  type PluginOrder,
  USUAL_MODE,
  type WalletKind,
  type WellKnownAccount,
  walletAccounts,
  walletKinds,
  walletOfKind,
  walletRequest,
  walletSeqno,
} from './accounts/index.ts'
export { type ChainReader, type HeadEvent, type HeadListener, Turns } from './chain/index.ts'
export type { AccountName } from './collate/index.ts'
export { accountList, electionParams, TERM, usualElections, validatorSet, WEIGHT } from './config/index.ts'
export {
  type AccountAddress,
  CONFIG_ACCOUNT,
  type ConfigChange,
  commentBody,
  configRequest,
  configSeqno,
  contractCode,
  contractCodes,
  type Deployment,
  type DeploymentPlace,
  deploymentOf,
  ELECTOR_ACCOUNT,
  ELECTOR_ADDRESS,
  electorRecoverBody,
  electorStakeBody,
  type OutgoingMessage,
  operationBody,
  outgoingMessage,
  signedStake,
  snake,
  stateInit,
} from './contracts/index.ts'
export {
  type Caused,
  type Clocks,
  type Control,
  type ControlState,
  checkAmount,
  MAX_MINED,
  type SendInternalOptions,
  type TraceStart,
} from './control/index.ts'
export type { Zerostate } from './genesis/index.ts'
export { type FoundTransaction, ReplayError, type StoredBlock, transactionIn } from './history/index.ts'
export type { BlockFacts } from './journal/index.ts'
export {
  createDevchainLiteServer,
  createEmbeddedChain,
  type DevchainLiteServer,
  type DevchainLiteServerOptions,
} from './lite/index.ts'
export { LogDamaged, LogError, LogForeign, LogFull, LogLocked } from './log/index.ts'
export { MessageRefused, type Receipt, type RefusalReason } from './mempool/index.ts'
export type { MiningMode } from './mining/index.ts'
export { type Devchain, openDevchain } from './openDevchain.ts'
export { type DevchainOptions, TESTNET_GLOBAL_ID } from './options.ts'
export { removeChain } from './removeChain.ts'
export {
  type AccountPatch,
  BASECHAIN,
  type BlockIdExt,
  type ChainState,
  dataAt,
  isSameBlock,
  MASTERCHAIN,
  type MasterState,
  type Moment,
  signedBytes,
} from './state/index.ts'
export type { Episode, Player, Progress, Story, StoryStart, StoryValidator } from './story/index.ts'
