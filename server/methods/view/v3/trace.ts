// Traces as v3 writes them.

import type { z } from 'zod'
import { toDigits } from '../../../../shared/primitives.ts'
import type { Trace } from '../../../../shared/v3/traces.ts'
import type { Transaction } from '../../../../shared/v3/transaction.ts'
import type { TraceRow } from '../../../store/index.ts'
import { type Written, writeObject } from '../../written.ts'
import { quickBase64 } from '../base64.ts'
import { type TreePart, treeOf } from './traceTree.ts'

type OnWire = z.output<typeof Trace>

/** A trace with more transactions is listed without them. */
export const MOST_OF_TRACE = 4000

/** Fields of every trace, however large. */
const headOf = (row: TraceRow) => ({
  trace_id: quickBase64(row.traceId),
  external_hash: row.externalHash && quickBase64(row.externalHash),
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

/** A transaction of a trace, written already. */
export interface ViewTracePart extends TreePart {
  readonly text: Written<z.output<typeof Transaction>>
}

/** Parts of a trace on request: undefined when they were not requested. */
export type TraceExtras = Pick<OnWire, 'actions' | 'balance_changes'>

/** Transactions in their order, and by hash. */
function writtenParts(transactions: readonly ViewTracePart[]) {
  const written = transactions.map(({ hash, text }) => [hash, text] as const)
  // By key, so that equal results are equal texts.
  const byHash = Object.fromEntries([...written].sort(([a], [b]) => (a < b ? -1 : 1)))
  return {
    transactions_order: written.map(([hash]) => hash),
    transactions: writeObject<NonNullable<OnWire['transactions']>>(byHash),
  }
}

/** A trace that is too large: with some of its transactions, or with none. */
export const writePartOfTrace = (
  row: TraceRow,
  transactions: readonly ViewTracePart[] | null,
  extras: TraceExtras,
): Written<OnWire> =>
  writeObject<OnWire>({
    is_incomplete: true,
    warning: 'trace is too large',
    ...(transactions === null ? {} : writtenParts(transactions)),
    ...headOf(row),
    ...extras,
  })

/** `transactions` are all of its transactions, in order. */
export function writeTrace(
  row: TraceRow,
  transactions: readonly ViewTracePart[],
  extras: TraceExtras,
): Written<OnWire> {
  const { root, warning } = treeOf(transactions)
  return writeObject<OnWire>({
    is_incomplete: false,
    ...writtenParts(transactions),
    ...headOf(row),
    ...(warning === null ? {} : { warning }),
    ...(root === null ? {} : { trace: root }),
    ...extras,
  })
}
