// The history of the chain: blocks by number, hash, logical time and time; their bytes; states after any of them;
// transactions of an account. The newest are in memory, older ones are read from the journal and recomputed.
// It promises that a state is returned only after its hash was checked against the block. It makes no decisions.

export {
  type FoundTransaction,
  findTransactions,
  type HistoryOfAccount,
  type HistoryParts,
  transactionIn,
} from './accountTransactions.ts'
export { BlockIndex } from './blockIndex.ts'
export {
  archivedHeader,
  type BlockTransactionsPage,
  listArchived,
  readArchived,
} from './blockTransactions.ts'
export { CopiedHistory } from './copiedHistory.ts'
export { HistoryFeed } from './historyFeed.ts'
export { PastStates } from './pastStates.ts'
export { ReplayError, replayStep } from './replayStep.ts'
export { StateSnapshots } from './stateSnapshots.ts'
export { Steps, type StoredBlock, sizeOfStep } from './storedSteps.ts'
