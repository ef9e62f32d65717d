import { ApiError } from '../../../shared/errors.ts'
import { diskFailure, hasCode } from '../../process/index.ts'

/** The refusal of what the disk has failed, as `keys cannot be changed`; null for other failures. */
export function diskRefusal(error: unknown, what: string): ApiError | null {
  const words = diskFailure(error)
  if (words === null) return null
  const isFull = hasCode(error, 'ENOSPC', 'EDQUOT')
  return new ApiError(isFull ? 'diskFull' : 'busy', `${what}: ${words}`, isFull ? { retryAfter: 5 } : {}, {
    cause: error,
  })
}
