// The TVM: transactions for block production, get-methods and trial runs for callers.
//
// It is the emulator shipped in @ton/sandbox, loaded in a quicker way when the shipped binary is one we know, and as it
// was shipped otherwise; answers are the same bit by bit. Bags of cells go in and out as bytes or base64; this room
// knows no chain, no store and no network. It promises that nothing a contract or a caller hands in stops the process:
// a run ends with an answer or with a TvmError.
//
// `createExecutor` is synchronous, in this thread, unlimited but for gas: for trusted callers that need transactions in
// order. `createTvmPool` runs in worker threads under a time limit, with a share for each caller: for everything that
// callers send.

export type { BocForm } from './bocForm.ts'
export type { Emulator } from './emulator.ts'
export { createExecutor } from './emulator.ts'
export { preparedConfig } from './preparedConfigs.ts'
export { preparePlain, prepareTvm } from './tvmCode.ts'
export type { TvmConfig } from './tvmConfig.ts'
export { createConfig, NEWEST_GLOBAL_VERSION } from './tvmConfig.ts'
export { TvmBusy, TvmError, TvmTimeout } from './tvmError.ts'
export { type LibrariesForm, shareLibraries } from './tvmLibraries.ts'
export type { TvmPool, TvmPoolOptions, TvmRuns, TvmShares } from './tvmPool.ts'
export { createTvmPool } from './tvmPool.ts'
export type { BlockContext, GetMethodResult, GetMethodRun, Rejected, TransactionResult, Verbosity } from './tvmRuns.ts'
