// The span of a request: from its head to its answer, inside the trace that the caller names.

import type { Traces } from '../../observe/index.ts'
import { endOfExchange } from './endOfExchange.ts'
import type { HttpExchange } from './exchange.ts'

const MOST_PATH = 200
const SERVER_ERROR = 500

/** `isRoute`: whether a path is one of the few that the service has, and not made of what a caller looks for. */
export function traceExchange(exchange: HttpExchange, traces: Traces, isRoute: (path: string) => boolean): void {
  const { req, res, path, requestId } = exchange
  const verb = req.method ?? ''
  const span = traces.begin(isRoute(path) ? `${verb} ${path}` : verb, 'server', req.headers.traceparent, {
    'http.request.method': verb,
    'url.path': exchange.shownPath.slice(0, MOST_PATH),
    'tonrpc.request_id': requestId,
  })
  exchange.span = span
  if (span === null) return
  res.once('close', () => {
    const { keyId = null } = exchange.call?.caller ?? {}
    const { status, bytes } = endOfExchange(exchange)
    const attributes = {
      'http.response.body.size': bytes,
      ...(keyId === null ? {} : { 'tonrpc.key_id': keyId }),
    }
    if (status === 0) return span.end({ error: 'the caller left', attributes })
    const error = status >= SERVER_ERROR ? String(status) : null
    span.end({ error, attributes: { ...attributes, 'http.response.status_code': status } })
  })
}
