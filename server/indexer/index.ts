// The indexer: what the chain says, turned into rows of the store. `parse/` and `code.ts` are pure functions from cells
// to rows: they do no I/O, and on a hostile block they end in time proportional to its size, with rows or with one
// ParseError that says where. `startIndexer` follows the chain and writes those rows, each masterchain block once,
// through whatever happens to the node, to the store and to this process.

export { toActionRow } from './actions/actionRow.ts'
export { readFacts } from './actions/readFacts.ts'
export { type TraceHead, type TracePart, toTraceInput } from './actions/traceInput.ts'
export { codeRow } from './code.ts'
export { IndexerError, type IndexerErrorCode } from './errors.ts'
export type { IndexHead, IndexView, WaitOptions } from './indexHead.ts'
export { accountKey, addressKey, keyText } from './parse/accountKey.ts'
export { accountsOfState, completeData } from './parse/accounts.ts'
export { parseBlock } from './parse/block.ts'
export type {
  AccountFacts,
  BlockFacts,
  BlockTop,
  ChainContext,
  Incomplete,
  MasterFacts,
  TransactionFacts,
} from './parse/facts.ts'
export { ParseError } from './parse/parseError.ts'
export { parseTransaction, type SupposedPlace } from './parse/transactions.ts'
export {
  type Indexer,
  type IndexerOptions,
  type IndexerState,
  type IndexerStatus,
  startIndexer,
} from './startIndexer.ts'
