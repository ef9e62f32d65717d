// What the rooms below refuse with, in the words and kinds callers of v2 know.

import { ApiError, type ErrorKind } from '../../../shared/errors.ts'
import { ChainReverted, LiteError, type LiteErrorKind, ProofError, StorageError } from '../../node/index.ts'

const KINDS: Partial<Record<LiteErrorKind, ErrorKind>> = { timeout: 'timeout', cancelled: 'unavailable' }
const WORDS: Partial<Record<LiteErrorKind, string>> = {
  notReady: 'LITE_SERVER_NOTREADY',
  timeout: 'LITE_SERVER_NETWORK timeout',
  cancelled: 'LITE_SERVER_NETWORK',
}

/** Clients match on the words in front, so a text that already has them is left alone. */
function textOf(error: LiteError): string {
  const word = (error.kind && WORDS[error.kind]) ?? 'LITE_SERVER_UNKNOWN'
  return /^[A-Z_]+:/.test(error.message) ? error.message : `${word}: ${error.message}`
}

/** What a chain rejects with, as callers see it; anything else is returned as it is. */
export function asChainError(error: unknown): unknown {
  if (error instanceof ProofError)
    return new ApiError('upstream', `LITE_SERVER_UNKNOWN: answer is not proven: ${error.message}`, {}, { cause: error })
  if (error instanceof StorageError) return asDiskRefusal(error)
  if (!(error instanceof LiteError)) return error
  if (error instanceof ChainReverted) return new ApiError('busy', error.message, { retryAfter: 1 }, { cause: error })
  if (error.isRateLimit) return new ApiError('busy', textOf(error), { retryAfter: 1 }, { cause: error })
  return new ApiError((error.kind && KINDS[error.kind]) ?? 'upstream', textOf(error), {}, { cause: error })
}

/** A chain cannot write; its own text names folders and stays internal. */
function asDiskRefusal(error: StorageError): unknown {
  if (error.code === 'full')
    return new ApiError(
      'diskFull',
      'no room on the disk for the chain: nothing acknowledged is lost; make room and try again',
      {},
      { cause: error },
    )
  if (error.code !== 'broken') return error
  return new ApiError('busy', 'The chain cannot write to its disk until it is started again', {}, { cause: error })
}
