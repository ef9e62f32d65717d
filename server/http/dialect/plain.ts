// v3 over REST: the result bare, a failure as `{"error": text}` with its HTTP status.

import type { Dialect } from './dialect.ts'

export const plain: Dialect = {
  success: ({ json }) => json,

  failure(error) {
    const { requestId } = error.data
    const text = error.kind === 'internal' && requestId ? `${error.message} (request ${requestId})` : error.message
    return { status: error.row.http, text: JSON.stringify({ error: text }), retryAfter: error.data.retryAfter }
  },
}
