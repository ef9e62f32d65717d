// The JSON the emulator answers with, read defensively: what it does not say in the expected form is an error.

import { TvmError } from './tvmError.ts'
import type { GetMethodResult, TransactionResult, Verbosity } from './tvmRuns.ts'

interface Answer {
  /** The call as such failed: parameters could not be read or set. */
  readonly fail?: boolean
  readonly message?: string
  readonly output?: Output
}

/** Result of a run, successful or not. */
export interface Output {
  readonly success: boolean
  readonly error?: string
  readonly external_not_accepted?: boolean
  readonly transaction?: string
  readonly shard_account?: string
  readonly actions?: string | null
  readonly stack?: string
  readonly gas_used?: string
  readonly vm_exit_code?: number
  readonly vm_log?: string
  readonly missing_library?: string | null
}

// Reported of messages that are well formed and still lead to no transaction, for instance an external message to an
// account that cannot pay for its import.
const refusal = 'Emulate transaction failed'

// Reported when the emulator refused its parameters and has freed itself.
const freedItself = "Can't set params"

/** Throws TvmError `badInput` when the call as such failed; calls `onFreed` first if the emulator is gone. */
export function parseOutput(json: string, onFreed?: () => void): Output {
  const { fail, message, output }: Answer = JSON.parse(json)
  if (fail !== true && output !== undefined) return output
  if (message === freedItself) onFreed?.()
  throw new TvmError('badInput', message ?? 'The emulator gave no answer')
}

/** The output of a get-method alone. */
export const parseMethodOutput = (json: string): Output => JSON.parse(json)

/**
 * The end of a log says why a run failed, so a long one loses its beginning: the emulator keeps a megabyte of it,
 * and a trace has up to 256 of them.
 */
const MOST_LOG = 256 << 10

// Transactions keep this much of the log at the lowest verbosity. Get-methods would keep all of it: 3 MB for 1 M gas.
const logTail = 256

/** Throws TvmError `badInput` when account or message could not be read. */
export function toTransactionResult(output: Output, verbosity?: Verbosity): TransactionResult {
  const vmLog = (output.vm_log ?? '').slice(verbosity === 0 ? -logTail : -MOST_LOG)
  if (output.success) {
    const { transaction, shard_account: shardAccount } = output
    if (transaction === undefined || shardAccount === undefined)
      throw new TvmError('crashed', 'The emulator gave no transaction')
    return { accepted: true, transaction, shardAccount, actions: output.actions ?? null, vmLog }
  }
  const reason = output.error ?? 'No reason given'
  if (output.external_not_accepted !== true && !reason.startsWith(refusal)) throw new TvmError('badInput', reason)
  return { accepted: false, exitCode: output.vm_exit_code ?? null, reason, vmLog }
}

// Reported when tuples are nested deeper than cells may be.
const unwritable = "Couldn't serialize stack"

/** Throws TvmError `badInput` when the stack could not be read, `stackTooDeep` when it could not be written. */
export function toGetMethodResult(output: Output, verbosity: Verbosity): GetMethodResult {
  const { stack, vm_exit_code: exitCode, gas_used: gasUsed, vm_log: vmLog = '' } = output
  if (!output.success) {
    const reason = output.error ?? 'No reason given'
    throw new TvmError(reason.startsWith(unwritable) ? 'stackTooDeep' : 'badInput', reason)
  }
  if (stack === undefined || exitCode === undefined || gasUsed === undefined)
    throw new TvmError('crashed', 'The emulator gave no stack')
  return {
    success: exitCode === 0 || exitCode === 1,
    exitCode,
    stack,
    gasUsed: BigInt(gasUsed),
    vmLog: verbosity === 0 ? vmLog.slice(-logTail) : vmLog,
    missingLibrary: output.missing_library ?? null,
  }
}
