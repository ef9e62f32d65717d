// Facts: what blocks, states and transactions say, as the values that rows are made of; transactions joined to traces; and
// traces as the classifier of actions takes them. Pure functions: they do no I/O, and on a hostile block they end in time
// proportional to its size, with facts or with one ParseError that says where. Of the store they know the forms of rows.

export { type FactRows, readAccountFacts, readData, readFacts, toFacts } from './actions/accountFacts.ts'
export { toActionRow } from './actions/actionRow.ts'
export {
  rawAddress,
  type TraceHead,
  type TracePart,
  toTraceInput,
  traceTransactions,
} from './actions/traceInput.ts'
export { codeRow, libraryCodeRow } from './codeRow.ts'
export { accountKey, accountKeyText, addressKey, rawAccountKey } from './parse/accountKey.ts'
export { accountsOfState, completeData, completingData, holesIn } from './parse/accounts.ts'
export { parseBlock, parsingBlock } from './parse/block.ts'
export type { BlockFacts, ParsedAccount, TransactionFacts } from './parse/facts.ts'
export { type OpenedAccount, openedAccount } from './parse/openedAccount.ts'
export { isAborted, isTickTock } from './parse/outcome.ts'
export { ParseError } from './parse/parseError.ts'
export { isSystem } from './parse/system.ts'
export { parseTransaction } from './parse/transactions.ts'
export { emptied, type Ledger, ledgerAfter, ledgerOf, sameLedger } from './staking/ledger.ts'
export { nominatorKey, type PoolEvents, poolEvents, validatorKey } from './staking/poolEvents.ts'
export { stakeEvent } from './staking/stakeEvents.ts'
export { type AssembledTraces, assemblingTraces, type TraceStep } from './trace/assemble.ts'
export { WorkingSet } from './trace/workingSet.ts'
