// A chain read from lite servers and verified: where trust starts, how it is extended to the newest block and stored, and
// the adapter that checks every answer.

export { GivenHeads } from './givenHeads.ts'
export { type NetworkFacts, publicStart, startOf, type TrustStart } from './networks.ts'
export { openTrust, Trust } from './openTrust.ts'
export { isUnknownStart, notFromStart } from './proofWalk.ts'
export { rememberAnswers } from './rememberedChain.ts'
export { createRemoteChain } from './remoteChain.ts'
export { createRepeatedSending, type RepeatedSending } from './repeatedSending.ts'
export { type SyncReport, syncText } from './syncProgress.ts'
export { TrustError, trustErrorIn } from './trustError.ts'
export { createTrustFile, keptRecord } from './trustFile.ts'
export type { ProofPolicy, ProvenHead } from './trustOptions.ts'
export { ChainReverted } from './undoneReads.ts'
export type { MethodRunner } from './verifiedAccounts.ts'
export { createVerifiedLiteServer } from './verifiedServer.ts'
