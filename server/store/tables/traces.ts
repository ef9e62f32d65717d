// Traces, the messages they wait for, and the accounts they touched.

import { account, bytea, int4, int8, nullable, oneOf, uint32 } from './column.ts'
import { type RowFrom, table } from './table.ts'

const traceState = oneOf('pending', 'complete', 'broken')

const classificationState = oneOf('unclassified', 'ok', 'failed', 'broken')
export type ClassificationState = ReturnType<typeof classificationState.decode>

export const traces = table(
  'traces',
  {
    /** Hash of its first transaction. */
    traceId: bytea,
    /** Hash of the message it began with; null when it began with none. */
    externalHash: nullable(bytea),
    mcSeqnoStart: int4,
    mcSeqnoEnd: int4,
    startLt: int8,
    startUtime: uint32,
    endLt: int8,
    endUtime: uint32,
    state: traceState,
    /** Messages sent and not yet received. */
    pendingEdges: int4,
    /** Messages received, the first one included, and those that left the chain. */
    edges: int4,
    nodes: int4,
    classification: classificationState,
  },
  {
    // What a trace began with does not change.
    onConflict: {
      key: 'traceId',
      except: ['externalHash', 'mcSeqnoStart', 'startLt', 'startUtime'],
    },
  },
)

export type TraceRow = RowFrom<typeof traces>

/** Messages of unfinished traces that no transaction has received yet. */
export const pendingEdges = table('pending_edges', { msgHash: bytea, traceId: bytea }, { onConflict: 'keep' })

export type PendingEdgeRow = RowFrom<typeof pendingEdges>

/** Accounts with a transaction in a complete trace. */
export const traceAccounts = table('trace_accounts', { account, traceId: bytea, endLt: int8, endUtime: uint32 })

export type TraceAccountRow = RowFrom<typeof traceAccounts>
