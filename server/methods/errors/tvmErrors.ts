// Errors of the TVM's threads as errors for callers.

import { ApiError } from '../../../shared/errors.ts'
import { ContractError } from '../../contracts/index.ts'
import { TvmBusy, TvmError, TvmTimeout } from '../../tvm/index.ts'
import { asChainError } from './chainErrors.ts'

const LOOP_ADVICE =
  'Look for a loop in the contract, or give it less to do in one call; the same run takes as long again.'

/** The TVM writes a stack as nested cells, one for each value and for each item of a list. */
const UNWRITABLE = 'Result stack depth >= 1024: each value of the stack, and each item of a list, counts as one'

/** Errors of the node are converted as everywhere. */
export function asRunError(error: unknown): unknown {
  if (error instanceof ContractError) return new ApiError('upstream', error.message, {}, { cause: error })
  if (!(error instanceof TvmError)) return asChainError(error)
  if (error instanceof TvmTimeout) {
    const { limit } = error
    const text = `Timeout: the contract was still running after ${limit} ms: it loops, or has too much to do for one run`
    return new ApiError('timeout', text, { limit, advice: LOOP_ADVICE }, { cause: error })
  }
  if (error instanceof TvmBusy) {
    const { limit, whose, message } = error
    return new ApiError(
      whose === 'caller' ? 'rateLimited' : 'busy',
      message,
      { limit, retryAfter: 1 },
      { cause: error },
    )
  }
  switch (error.code) {
    case 'timeout':
    case 'aborted':
      return new ApiError('timeout', 'Timeout', {}, { cause: error })
    case 'busy':
    case 'closed':
      return new ApiError('busy', error.message, { retryAfter: 1 }, { cause: error })
    case 'stackTooDeep':
      return new ApiError('stackTooDeep', UNWRITABLE, {}, { cause: error })
    case 'badInput':
    case 'badConfig':
      return new ApiError('upstream', error.message, {}, { cause: error })
    // A contract can cause that, so it is reported like every run that failed.
    case 'crashed':
      return new ApiError('upstream', 'the TVM could not finish this run', {}, { cause: error })
  }
}

/** Awaits a run of contracts and converts its errors for callers. */
export async function awaitRun<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw asRunError(error)
  }
}
