// Lines of the request log: one for each finished request, and one for each call of a WebSocket.

import { errorTable, httpStatuses } from '../../../shared/errors.ts'
import type { ChargedCall } from '../../methods/index.ts'
import type { RequestLog, RequestRecord } from '../../observe/index.ts'
import { endOfExchange } from './endOfExchange.ts'
import type { HttpExchange } from './exchange.ts'
import { NotedCalls } from './notedCalls.ts'

/** A caller is logged by key id, or by address without a key. */
function whoIs(call: Pick<ChargedCall, 'caller'> | null): Pick<RequestRecord, 'keyId' | 'address'> {
  const keyId = call?.caller.keyId ?? null
  return { keyId, address: keyId === null ? (call?.caller.subject ?? null) : null }
}

function recordOf(exchange: HttpExchange, { methods, error }: NotedCalls): RequestRecord {
  const { req, call, shownPath, requestId, elapsed } = exchange
  return {
    requestId,
    ...whoIs(call),
    verb: req.method ?? '',
    path: shownPath,
    methods,
    error,
    ms: elapsed,
    ...endOfExchange(exchange),
  }
}

/** Writes a line when the request is answered or the caller has disconnected. */
export function noteExchange(exchange: HttpExchange, requestLog: Pick<RequestLog, 'write'>): void {
  const noted = new NotedCalls()
  exchange.noted = noted
  exchange.res.once('close', () => requestLog.write(recordOf(exchange, noted)))
}

/** The caller disconnected first. */
const NOT_SENT = 0

const isKind = (outcome: string): outcome is keyof typeof errorTable => outcome in errorTable

const statusOf = (outcome: string): number =>
  outcome === 'ok' ? 200 : isKind(outcome) ? httpStatuses[outcome] : NOT_SENT

/** Writes a line for each call of a WebSocket. */
export const noterOf =
  (
    call: Pick<ChargedCall, 'caller' | 'requestId'>,
    requestLog: Pick<RequestLog, 'write'>,
  ): NonNullable<ChargedCall['note']> =>
  (method, { outcome, ms, bytes }) =>
    requestLog.write({
      requestId: call.requestId,
      ...whoIs(call),
      verb: 'WS',
      path: '',
      methods: new Map([[method, 1]]),
      error: outcome === 'ok' ? null : outcome,
      status: statusOf(outcome),
      ms,
      bytes,
    })
