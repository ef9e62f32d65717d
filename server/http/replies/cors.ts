// Pages of other origins may call: the API carries no cookies, so `*` gives nothing away. A preflight is answered
// before keys and limits, or a browser could never learn of either.

import type { IncomingMessage } from 'node:http'

const ALWAYS_ALLOWED = 'Content-Type, X-API-Key, X-Min-Seqno, X-Ton-Client-Version'
const MAX_AGE_S = 7200

/** The origin to allow for this request, when not all are: the caller's own, or null. */
export function allowedOrigin(req: IncomingMessage, origins: readonly string[]): string | null {
  const origin = req.headers.origin
  return origin !== undefined && origins.includes(origin) ? origin : null
}

/** For all paths: of a verb that its path does not serve a page is to read the refusal. */
const VERBS = 'GET, HEAD, POST, OPTIONS'
const DELETE = 'DELETE'

/** Headers of the answer to OPTIONS, names and values in turn. `allow` is null for a path that does not exist. */
export function preflightHeaders(req: IncomingMessage, allow: string | null): readonly string[] {
  const requested = req.headers['access-control-request-headers']
  const wanted = requested && requested.length <= 1024 && /^[\w-]+( *, *[\w-]+)*$/.test(requested) ? requested : null
  return [
    ...(allow === null ? [] : ['Allow', allow]),
    'Access-Control-Allow-Methods',
    allow?.includes(DELETE) ? `${VERBS}, ${DELETE}` : VERBS,
    'Access-Control-Allow-Headers',
    wanted ?? ALWAYS_ALLOWED,
    'Access-Control-Max-Age',
    String(MAX_AGE_S),
    'Vary',
    'Origin, Access-Control-Request-Headers',
  ]
}
