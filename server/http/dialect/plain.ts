// v3 over REST: the result bare, a failure as `{"error": text}` with its HTTP status.

import type { ErrorKind } from '../../../shared/errors.ts'
import type { Dialect } from './dialect.ts'

/** What is wrong with a call as such is 422 here, whatever it is. */
const STATUS: Partial<Record<ErrorKind, number>> = { parse: 422, invalidRequest: 422 }

export const plain: Dialect = {
  success: ({ json }) => json,

  failure(error) {
    const { requestId } = error.data
    const text = error.kind === 'internal' && requestId ? `${error.message} (request ${requestId})` : error.message
    const status = STATUS[error.kind] ?? error.row.http
    return { status, text: JSON.stringify({ error: text }), retryAfter: error.data.retryAfter }
  },
}
