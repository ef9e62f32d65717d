// Runs of the TVM and their results. Plain data: a run may be posted to another thread as it is.

import type { BocForm } from './bocForm.ts'
import type { LibrariesForm } from './tvmLibraries.ts'

/** How much of the VM's log is kept: 0 its last 256 bytes, 5 everything with the stack at each step (slow). */
export type Verbosity = 0 | 1 | 2 | 3 | 4 | 5

/** What all transactions of one block share. */
export interface BlockContext {
  /** Unix seconds. */
  readonly now: number
  /** 32 bytes; the seed of each account is derived from it. */
  readonly randSeed: Uint8Array
  /** Dictionary of public libraries, or null. */
  readonly libs?: LibrariesForm | null
  /** The tuple of previous blocks as a serialised stack entry. */
  readonly prevBlocks?: BocForm | null
}

export interface TransactionRun {
  /** A `ShardAccount` cell; one with `account_none` for an account that does not exist yet. */
  readonly shardAccount: BocForm
  readonly message: BocForm
  /** The transaction's lt is at least this; the account's and the message's own lt are minded by the emulator. */
  readonly lt: bigint
  /** Unix seconds; the block's when absent. */
  readonly now?: number
  /** Every signature check succeeds. */
  readonly ignoreSignature?: boolean
  readonly verbosity?: Verbosity
  readonly debug?: boolean
}

export interface TickTockRun extends Omit<TransactionRun, 'message'> {
  readonly which: 'tick' | 'tock'
}

export interface Accepted {
  readonly accepted: true
  /** Transaction cell, base64. */
  readonly transaction: string
  /** The account after it, base64. */
  readonly shardAccount: string
  /** Action list of the compute phase, base64; null when it did not succeed. */
  readonly actions: string | null
  readonly vmLog: string
}

/** No transaction comes of this message; the account stays as it is. */
export interface Rejected {
  readonly accepted: false
  /** Exit code of an external message the contract did not accept; null when the VM was never started. */
  readonly exitCode: number | null
  readonly reason: string
  readonly vmLog: string
}

export type TransactionResult = Accepted | Rejected

export interface GetMethodRun {
  readonly code: BocForm
  readonly data: BocForm
  /** The parameters, as a serialised `VmStack`. */
  readonly stack: BocForm
  readonly methodId: number
  /** Raw (`0:<hex>`) or friendly. */
  readonly address: string
  /** Nanotons. */
  readonly balance: bigint
  /** Amounts by currency id. */
  readonly extraCurrencies?: Readonly<Record<number, bigint>>
  /** Unix seconds. */
  readonly now: number
  /** 32 bytes; zeros when absent. */
  readonly randSeed?: Uint8Array
  readonly gasLimit?: bigint
  readonly libs?: LibrariesForm | null
  readonly prevBlocks?: BocForm | null
  /** Skip the trimmed configuration. */
  readonly fullConfig?: boolean
  readonly verbosity?: Verbosity
  readonly debug?: boolean
}

export interface GetMethodResult {
  /** Exit code 0 or 1. */
  readonly success: boolean
  readonly exitCode: number
  /** Serialised `VmStack`, base64. */
  readonly stack: string
  readonly gasUsed: bigint
  readonly vmLog: string
  /** Hash of a library the run wanted and did not find, hex. */
  readonly missingLibrary: string | null
}

/** Gas of a get-method when the run names none. */
export const defaultGasLimit = 1_000_000n
