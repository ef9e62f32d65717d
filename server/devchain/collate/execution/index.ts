// Accounts meet the TVM: read from the state once, executed on in turn, written back together. It keeps what the TVM returns
// from piling up copies of what was there before. It knows nothing of messages and queues.

export { type AheadLimits, AheadRuns } from './aheadRuns.ts'
export { BlockMachine } from './blockMachine.ts'
export { CellSharing } from './cellSharing.ts'
export { RecentAccounts } from './recentAccounts.ts'
export { TvmAnswers } from './tvmAnswers.ts'
export { bocOf, isReady, makeReady, type WorkingAccount, WorkingAccounts } from './workingAccounts.ts'
