// Makes blocks: given the states of both chains, a time and the messages that wait, the next block of either, complete with
// its new state, its Merkle update and its names. The same input gives the same bytes.
// It promises that a block whose money does not balance is never finished, and that the event loop gets its turn every few
// milliseconds. It publishes nothing and writes nothing to disk: its caller does.

export type { Workshop } from './blockDraft.ts'
export { BlockTooLarge } from './blockSize.ts'
export { collateMaster } from './collateMaster.ts'
export { collateShard } from './collateShard.ts'
export { configOfMaster } from './configOfMaster.ts'
export { type AheadLimits, AheadRuns, BlockMachine, CellSharing, RecentAccounts } from './execution/index.ts'
export { isReadableParam, masterValidators, registeredShard } from './master/index.ts'
export {
  type AccountName,
  type External,
  type ExternalOutcome,
  type Injected,
  Intake,
  injectedMessage,
  type Rejection,
  undelivered,
} from './messages/index.ts'
export { type BlockWork, type CollationLimits, DEFAULT_LIMITS, NO_WORK } from './plan.ts'
export { PreviousBlocksText, PreviousBlocksTuple } from './previousBlocksTuple.ts'
export { publicLibraries } from './publicLibraries.ts'
export type { SealedBlock } from './sealed.ts'
