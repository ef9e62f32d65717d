// The room of the methods: their handlers, and the dispatch every transport calls. It knows the registry, the caller and
// the rooms that hold data; it does not know HTTP, WebSocket or a JSON-RPC envelope.

export { AbiBook, type AbiEntry, type GivenNames } from './abi/abiBook.ts'
export { abiEntryOf, codeHashInAbi } from './abi/abis.ts'
export type { AnswerSeqnos, Call, CallOutcome, ChargedCall, Handlers, WritingHandlers } from './call.ts'
export type { Controlled } from './dev/devControl.ts'
export { createCallLanes } from './dispatch/callLanes.ts'
export { after, budgetRefusal } from './dispatch/charges.ts'
export { createDispatch, type Dispatch, type Question } from './dispatch/dispatch.ts'
export { namesLike, nearestName } from './dispatch/nearestName.ts'
export { createResultCache, type ResultCache } from './dispatch/resultCache.ts'
export { followChainSeqno } from './dispatch/seqnos.ts'
export { asReadError } from './errors/storeErrors.ts'
export { ValueRefusal } from './errors/valueRefusal.ts'
export type { MessageExchange } from './followedSending.ts'
export { createDevHandlers, createHandlers, discoveryHandlers, type Needs } from './handlers.ts'
export type { NewestPoint } from './historyPages.ts'
export { reachIndex, type Stands, standsIn } from './indexReach.ts'
export { addressOfKey, keyOfAccount, rawOfKey } from './keyOfAccount.ts'
export { groupingParts, traceKey, traceParts } from './live/blockParts.ts'
export { bytesOfTransactions } from './live/bytesOfTransactions.ts'
export { isLargeTrace } from './live/largeTraces.ts'
export { type LiveMessage, messagesOfTrace } from './live/liveMessages.ts'
export {
  FINALITIES,
  type Finality,
  finalityOf,
  finalityOfActions,
  isAtLeast,
  type LiveAction,
  type LiveNode,
  type LiveTrace,
} from './live/liveTrace.ts'
export { type Foresight, LiveTraces, leavesOnlyNotices, masterIdOf } from './live/liveTraces.ts'
export {
  areDetailsTooLarge,
  createLiveBooks,
  type LiveBooks,
  lookingWhetherMessagesTooLarge,
  lookingWhetherTooLarge,
  makingLiveTree,
  toLiveAction,
  toLiveMessage,
  toLiveNft,
  toLiveTransaction,
  toLiveWallet,
} from './live/liveViews.ts'
export { type SentMessage, SentMessages } from './live/sentMessages.ts'
export { eachPiece, LONG_TEXT } from './longText.ts'
export { type Modifiers, NO_MODIFIERS } from './modifiers.ts'
export { byLatestEnd } from './pending/pendingActions.ts'
export type { ForeignMessage } from './pending/pendingMessages.ts'
export { startTextKeeper } from './v3/texts/textKeeper.ts'
export type { AskV2 } from './v4/askV2.ts'
export { PATHS_OF_V4, v4Answer } from './v4/v4Answer.ts'
export { nearestPathOfV4 } from './v4/v4Paths.ts'
export { changesText, headText } from './v4/watched.ts'
export { transactionTextFormat } from './view/transaction.ts'
export { accountsOfDetails, shownTypeOf } from './view/v3/action.ts'
export { toIndexedBlock } from './view/v3/block.ts'
export { TRACE_TOO_LARGE } from './view/v3/traceTree.ts'
export { accountsOfTransaction, toStateInTransaction } from './view/v3/transaction.ts'
export { createWorkerHandlers, type OwnHistory } from './workerHandlers.ts'
export { answerWithin, bytesWithin, lengthOfAnswer, type Parts, type RunAnswer } from './written.ts'
