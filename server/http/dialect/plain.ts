// v3 over REST: the result bare, a failure as `{"error": text}` with its HTTP status.

import type { ApiError } from '../../../shared/errors.ts'
import { ValueRefusal } from '../../methods/index.ts'
import { type Dialect, soleText } from './dialect.ts'

/** Callers of v3 know these words before the name of a param whose value was not understood. */
function unread(error: ValueRefusal): string {
  const where = `${error.index === null ? '' : `index ${error.index} of `}"${error.data.param}"`
  const others = error.others === 0 ? '' : ` (and ${error.others} other error${error.others === 1 ? '' : 's'})`
  return `failed to decode: schema: error converting value for ${where}. Details: ${error.message}${others}`
}

const textOf = (error: ApiError): string => (error instanceof ValueRefusal ? unread(error) : soleText(error))

/** The result is all there is. */
const BARE = ['', ''] as const

export const plain: Dialect = {
  around: () => BARE,

  failure(error) {
    const text = JSON.stringify({ error: textOf(error), ...error.data.sent })
    return { status: error.httpStatus, text, retryAfter: error.data.retryAfter }
  },
}
