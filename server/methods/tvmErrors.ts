// Errors of the TVM's threads as errors for callers.

import { ApiError } from '../../shared/errors.ts'
import { ContractError } from '../contracts/index.ts'
import { TvmBusy, TvmError, TvmTimeout } from '../tvm/index.ts'
import { asChainError } from './errors.ts'
import { MOST_DEPTH } from './view/stack.ts'

/** Errors of the node are converted as everywhere. */
export function asRunError(error: unknown): unknown {
  if (error instanceof ContractError) return new ApiError('upstream', error.message, {}, { cause: error })
  if (!(error instanceof TvmError)) return asChainError(error)
  switch (error.code) {
    case 'timeout': {
      const limit = error instanceof TvmTimeout ? { limit: error.limit } : {}
      return new ApiError('timeout', `Timeout: ${error.message}`, limit, { cause: error })
    }
    case 'aborted':
      return new ApiError('timeout', 'Timeout', {}, { cause: error })
    case 'busy': {
      const { limit, whose } = error instanceof TvmBusy ? error : { limit: 0, whose: 'all' }
      const kind = whose === 'caller' ? 'rateLimited' : 'busy'
      return new ApiError(kind, error.message, { limit, retryAfter: 1 }, { cause: error })
    }
    case 'closed':
      return new ApiError('busy', error.message, { retryAfter: 1 }, { cause: error })
    case 'stackTooDeep':
      return new ApiError('stackTooDeep', `Result stack depth >= ${MOST_DEPTH}`, {}, { cause: error })
    case 'badInput':
    case 'badConfig':
      return new ApiError('upstream', error.message, {}, { cause: error })
    // A contract can cause that, so it is reported like every run that failed.
    case 'crashed':
      return new ApiError('upstream', 'the TVM could not finish this run', {}, { cause: error })
  }
}

/** Awaits a run of contracts and converts its errors for callers. */
export async function running<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw asRunError(error)
  }
}
