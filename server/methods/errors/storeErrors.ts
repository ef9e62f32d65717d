// What the database refuses with, as callers see it: its own texts stay internal.

import { ApiError } from '../../../shared/errors.ts'
import { PageKeyMismatch, StoreError } from '../../store/index.ts'
import { wrongCursor } from '../paging.ts'
import { LongWait } from './longWait.ts'

/** The ApiError of a failed read; other errors are passed on unchanged. */
export function asReadError(error: unknown): unknown {
  if (error instanceof PageKeyMismatch) return wrongCursor()
  if (!(error instanceof StoreError)) return error
  if (error.code === 'timeout') return new ApiError('queryTimeout', undefined, {}, { cause: error })
  if (error.code === 'aborted') return new ApiError('timeout', undefined, {}, { cause: error })
  if (error.code === 'busy' || error.code === 'conflict')
    return new ApiError('busy', 'The index is busy', { retryAfter: 1 }, { cause: error })
  if (error.code === 'full')
    return new ApiError('diskFull', 'no room on the disk for the index', { retryAfter: 5 }, { cause: error })
  if (error.code === 'damaged') return new ApiError('internal', 'A part of the index is damaged', {}, { cause: error })
  if (error.code === 'mismatch')
    return new ApiError(
      'busy',
      'The index is being restored, or is of another chain, or of another version of this program',
      { retryAfter: 5 },
      { cause: error },
    )
  if (error.code !== 'unavailable' && error.code !== 'closed' && error.code !== 'locked') return error
  return new ApiError('busy', 'The index cannot be reached', { retryAfter: 1 }, { cause: error })
}

/** What the database said, or what a call waited for, for the log. */
export const reasonOf = ({ cause }: ApiError): { readonly reason?: string } =>
  cause instanceof StoreError || cause instanceof LongWait ? { reason: cause.message } : {}
