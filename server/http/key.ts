// Where a request may carry its key, and an error for callers who put it in a similar field: a key that is silently
// ignored looks like a rate limit that does not fit the plan.

import type { IncomingMessage } from 'node:http'

export interface GivenKey {
  readonly key: string | undefined
  /** Header name and value for a caller whose key was not seen; empty otherwise. */
  readonly hint: readonly string[]
}

const NEAR_QUERY = ['apiKey', 'apikey', 'api-key', 'key', 'token']
const NEAR_HEADERS = ['api-key', 'apikey', 'api_key', 'x-apikey', 'authorization']
const HINT = ['X-API-Key-Hint', 'no key was read: send it as header X-API-Key or query parameter api_key']
const NONE: readonly string[] = []

export function keyOf(req: IncomingMessage, query: string): GivenKey {
  const header = req.headers['x-api-key']
  if (typeof header === 'string' && header !== '') return { key: header, hint: NONE }
  const params = query === '' ? null : new URLSearchParams(query)
  const inQuery = params?.get('api_key')
  if (inQuery) return { key: inQuery, hint: NONE }
  const near = NEAR_HEADERS.some((name) => name in req.headers) || NEAR_QUERY.some((name) => params?.has(name))
  return { key: undefined, hint: near ? HINT : NONE }
}
