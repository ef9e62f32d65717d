// A chain behind lite servers, believed only as far as it is proven: where trust starts, how it is led to the newest block
// and kept, and the adapter that checks every answer.

export {
  type NetworkFacts,
  type PublicNetwork,
  publicNetworks,
  publicStart,
  startOf,
  type TrustStart,
} from './networks.ts'
export { type AnswerBounds, rememberAnswers } from './rememberedChain.ts'
export { createRemoteChain, type RemoteChainOptions } from './remoteChain.ts'
export {
  createRepeatedSending,
  type RepeatedSending,
  type RepeatedSendingOptions,
  type SendingBounds,
} from './repeatedSending.ts'
export { type SyncReport, syncText } from './syncProgress.ts'
export { openTrust, type ProofPolicy, type ProvenHead, Trust, type TrustOptions, type TrustStatus } from './trust.ts'
export { TrustError, type TrustErrorCode } from './trustError.ts'
export { createTrustFile, keptRecord, type TrustRecord, type TrustStore } from './trustFile.ts'
export type { MethodRun, MethodRunner } from './verifiedAccounts.ts'
export { createVerifiedLiteServer, type VerifiedServerOptions } from './verifiedServer.ts'
