// Get-methods for clients of a verified lite server: run here, on a proven account, with what a lite server would show it.

import { CellError, MAX_DEPTH, NO_CRC, readBoc, writingBoc } from '../../cell/index.ts'
import { inPieces, ownerOfSignal } from '../../fairness/index.ts'
import { type Chain, LiteError, liteErrorOfRun, type MethodRunner } from '../../node/index.ts'
import { TvmError, type TvmRuns } from '../../tvm/index.ts'
import { ContractError } from '../contractError.ts'
import { readStack, writeStack } from '../stack/stackCells.ts'
import { contractOf, runGetMethod } from './runGetMethod.ts'
import { RunSettings } from './runSetting.ts'

export interface MethodRunnerParts {
  readonly chain: Pick<Chain, 'config' | 'previousBlocks' | 'libraries'>
  readonly pool: Pick<TvmRuns, 'runGetMethod'>
}

function asLiteError(error: unknown): unknown {
  if (error instanceof ContractError || error instanceof CellError)
    return new LiteError('badQuery', error.message, { cause: error })
  return error instanceof TvmError ? liteErrorOfRun(error) : error
}

/** Runs methods as `createVerifiedLiteServer` needs it. */
export function createMethodRunner({ chain, pool }: MethodRunnerParts): MethodRunner {
  const settings = new RunSettings(chain)
  return async ({ master, account, methodId, params }, { signal = new AbortController().signal, share }) => {
    const contract = contractOf(account.account, account.utime)
    if (contract === null) return null
    try {
      const stack = params.length === 0 ? [] : readStack(readBoc(params, { maxDepth: MAX_DEPTH }))
      const setting = await settings.at(master, signal)
      const outcome = await runGetMethod({ chain, pool, setting }, contract, { methodId, stack }, signal)
      const left = writeStack(outcome.stack)
      const subject = share ?? ownerOfSignal(signal)
      return { exitCode: outcome.exitCode, stack: await inPieces(writingBoc(left, NO_CRC), { subject }) }
    } catch (error) {
      throw asLiteError(error)
    }
  }
}
