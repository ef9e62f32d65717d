// Traces as v3 writes them.

import type { z } from 'zod'
import { toBase64 } from '../../../../shared/base64.ts'
import type { Trace } from '../../../../shared/v3/traces.ts'
import type { TraceRow, TransactionFound } from '../../../store/index.ts'
import { toDigits } from '../digits.ts'
import { treeOf } from './traceTree.ts'
import { toTransaction } from './transaction.ts'

type OnWire = z.output<typeof Trace>

/** A trace with more is said to be there, and not shown. */
const MOST_TRANSACTIONS = 4000

export const isTooLarge = ({ nodes }: TraceRow): boolean => nodes > MOST_TRANSACTIONS

/** What is said of every trace, however large. */
const headOf = (row: TraceRow) => ({
  trace_id: toBase64(row.traceId),
  external_hash: row.externalHash && toBase64(row.externalHash),
  mc_seqno_start: toDigits(BigInt(row.mcSeqnoStart)),
  mc_seqno_end: toDigits(BigInt(row.mcSeqnoEnd)),
  start_lt: toDigits(row.startLt),
  start_utime: row.startUtime,
  end_lt: toDigits(row.endLt),
  end_utime: row.endUtime,
  trace_info: {
    trace_state: row.state,
    messages: row.edges,
    transactions: row.nodes,
    pending_messages: row.pendingEdges,
    classification_state: row.classification,
  },
})

/** `transactions` are all it has, in the order they happened. */
export function toTrace(row: TraceRow, transactions: readonly TransactionFound[]): OnWire {
  if (isTooLarge(row)) return { ...headOf(row), is_incomplete: true, warning: 'trace is too large' }
  const { root, warning } = treeOf(transactions)
  const written = transactions.map((found) => [toBase64(found.row.hash), toTransaction(found)] as const)
  return {
    ...headOf(row),
    is_incomplete: false,
    ...(warning === null ? {} : { warning }),
    ...(root === null ? {} : { trace: root }),
    transactions_order: written.map(([hash]) => hash),
    // By key, as one who compares answers would have them.
    transactions: Object.fromEntries([...written].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
