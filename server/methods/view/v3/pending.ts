// Pending traces as v3 writes them.

import type { z } from 'zod'
import { toBase64 } from '../../../../shared/base64.ts'
import { toDigits } from '../../../../shared/primitives.ts'
import type { Trace } from '../../../../shared/v3/traces.ts'
import type { Message, Transaction } from '../../../../shared/v3/transaction.ts'
import type { MessageRow, TextBytes } from '../../../store/index.ts'
import type { PendingNode, PendingTrace } from '../../pending/pendingTraces.ts'
import type { ActionOnWire } from './action.ts'
import { toIndexedMessage } from './message.ts'
import { treeOf, treePartOf } from './traceTree.ts'
import { isLargeTransaction, toIndexedTransaction } from './transaction.ts'

type OnWire = z.output<typeof Transaction>
type MessageOnWire = z.output<typeof Message>

/** Pending messages always have their normalised hash, and no field for currencies is empty. */
const toPendingMessage = (written: MessageOnWire, row: MessageRow): MessageOnWire => ({
  ...written,
  value_extra_currencies: written.value_extra_currencies ?? {},
  ...(row.kind === 'externalIn' ? { hash_norm: toBase64(row.hashNorm ?? row.hash) } : {}),
})

/** An emulated transaction has neither a trace nor states yet, and is shown as an ordinary one. */
export function toPendingTransaction(
  trace: PendingTrace,
  { found, emulated }: PendingNode,
  toMessage = toIndexedMessage,
): OnWire {
  const { trace_id, ...written } = toIndexedTransaction(found, toMessage)
  const { inMessage, outMessages } = found
  return {
    ...written,
    ...(trace.traceId === null ? {} : { trace_id: toBase64(trace.traceId) }),
    trace_external_hash: toBase64(trace.hash),
    in_msg: written.in_msg && inMessage && toPendingMessage(written.in_msg, inMessage),
    out_msgs: written.out_msgs.map((message, i) => {
      const row = outMessages[i]
      return row === undefined ? message : toPendingMessage(message, row)
    }),
    ...(emulated
      ? { description: { ...written.description, type: 'ord', is_tock: false, installed: false } }
      : { description: written.description }),
    emulated,
    finality: emulated ? 'pending' : 'finalized',
  }
}

/** Adds the text of the same: of a large one message by message. */
export function* addPendingTransaction(trace: PendingTrace, node: PendingNode, to: TextBytes): Generator<boolean> {
  const { found } = node
  if (!isLargeTransaction(found)) {
    to.string(JSON.stringify(toPendingTransaction(trace, node)))
    return
  }
  const members = Object.entries(toPendingTransaction(trace, { ...node, found: { ...found, outMessages: [] } }))
  const at = members.findIndex(([name]) => name === 'out_msgs')
  const [before, after] = [members.slice(0, at), members.slice(at + 1)].map((some) =>
    JSON.stringify(Object.fromEntries(some)),
  )
  to.string(`${before?.slice(0, -1)},"out_msgs":[`)
  for (const [i, row] of found.outMessages.entries()) {
    yield true
    to.string(`${i === 0 ? '' : ','}${JSON.stringify(toPendingMessage(toIndexedMessage(row), row))}`)
  }
  to.string(`],${after?.slice(1)}`)
  yield true
}

/** The message it began with and all its transactions sent, those that leave the chain included. */
function messagesOf(nodes: readonly PendingNode[]): number {
  const sent = nodes.reduce((sum, { found }) => sum + found.outMessages.length, 0)
  return sent + nodes.filter(({ found }) => found.inMessage?.kind === 'externalIn').length
}

const least = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a < b ? a : b), values[0] ?? 0n)
const most = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a > b ? a : b), values[0] ?? 0n)

/** Sort key of a list of them. */
export const endOf = ({ nodes }: Pick<PendingTrace, 'nodes'>): bigint => most(nodes.map(({ found }) => found.row.lt))

/** Its members before the transactions. */
function headOf({ nodes, traceId, hash }: PendingTrace) {
  const rows = nodes.map(({ found }) => found.row)
  const seqnos = rows.map(({ mcSeqno }) => BigInt(mcSeqno))
  return {
    trace_id: traceId && toBase64(traceId),
    external_hash: toBase64(hash),
    mc_seqno_start: toDigits(least(seqnos)),
    mc_seqno_end: toDigits(most(seqnos)),
    start_lt: toDigits(rows[0]?.lt ?? 0n),
    start_utime: rows[0]?.now ?? 0,
    end_lt: toDigits(endOf({ nodes })),
    end_utime: Math.max(...rows.map(({ now }) => now)),
    trace_info: {
      trace_state: 'pending' as const,
      messages: messagesOf(nodes),
      transactions: nodes.length,
      pending_messages: messagesOf(nodes.filter(({ emulated }) => emulated)),
      classification_state: 'ok' as const,
    },
    is_incomplete: false,
    transactions_order: nodes.map(({ found }) => toBase64(found.row.hash)),
  }
}

/** Those after them. */
function tailOf({ nodes }: PendingTrace): Pick<z.output<typeof Trace>, 'warning' | 'trace'> {
  const { root, warning } = treeOf(nodes.map(({ found }) => treePartOf(found)))
  return { ...(warning === null ? {} : { warning }), ...(root === null ? {} : { trace: root }) }
}

/** Adds the text of a trace, with its actions unless they are null: of large transactions message by message. */
export function* addPendingTrace(
  trace: PendingTrace,
  actions: readonly ActionOnWire[] | null,
  to: TextBytes,
): Generator<boolean> {
  const named = trace.nodes.map((node) => [toBase64(node.found.row.hash), node] as const)
  to.string(`${JSON.stringify(headOf(trace)).slice(0, -1)},"transactions":{`)
  for (const [i, [name, node]] of named.sort(([a], [b]) => (a < b ? -1 : 1)).entries()) {
    yield true
    to.ascii(`${i === 0 ? '' : ','}"${name}":`)
    yield* addPendingTransaction(trace, node, to)
  }
  const tail = JSON.stringify(tailOf(trace)).slice(1, -1)
  to.string(`}${tail === '' ? '' : `,${tail}`}`)
  if (actions !== null) {
    to.ascii(',"actions":[')
    for (const [i, action] of actions.entries()) {
      yield true
      to.string(`${i === 0 ? '' : ','}${JSON.stringify(action)}`)
    }
    to.ascii(']')
  }
  to.ascii('}')
}
