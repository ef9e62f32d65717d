// Everything that has been: blocks by number, hash, logical time and time; their bytes; states after any of them;
// transactions of an account. The newest is at hand, the rest is read from the journal and made again.
// It promises that a state is only ever given out when its hash is what the block says. It decides nothing.

export { type FoundTransaction, findTransactions, type TransactionQuery, transactionIn } from './accountTransactions.ts'
export { BlockIndex } from './blockIndex.ts'
export {
  type ArchivedName,
  archivedHeader,
  type BlockPage,
  listArchived,
  readArchived,
} from './blockTransactions.ts'
export { Moments } from './moments.ts'
export { ReplayError, replayStep } from './replay.ts'
export { StateSnapshots } from './stateSnapshots.ts'
export { Steps, type StoredBlock } from './steps.ts'
