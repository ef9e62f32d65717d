// Calls of the page of a trace.

import { afterCursor, query } from './explorerQuery.ts'

/** The log of the TVM of one transaction. */
export const replayOf = (tx_hash: string) => query('emulate.replay', { tx_hash })

export const traceOfTransaction = (hash: string) => query('v3.traces', { tx_hash: [hash], include_actions: true })
export const traceOfMessage = (hash: string) => query('v3.traces', { msg_hash: [hash], include_actions: true })
/** Of a message from outside that was sent through this service and whose trace has not ended. */
export const pendingTraceOf = (hash: string) => query('v3.pendingTraces', { ext_msg_hash: [hash] })
export const traceById = (hash: string) => query('v3.traces', { trace_id: [hash], include_actions: true })

/** Of a trace of any size, by logical time. */
export const transactionsOfTrace = (trace_id: string, sort: 'asc' | 'desc', cursor?: string) =>
  query('v3.transactions', { trace_id, limit: 50, sort, ...afterCursor(cursor) })

/** What a trace moved, tokens included. */
export const movesOf = (trace_id: string) => query('v3.balanceChanges', { trace_id })
