// The indexer: what the chain says, turned into rows of the store. `parse/` and `code.ts` are pure functions from cells
// to rows: they ask nobody, and whatever a hostile block holds they end in time proportional to it, with rows or with one
// ParseError that says where.

export { codeRow } from './code.ts'
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
