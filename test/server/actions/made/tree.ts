// A trace as a tree of messages that can be changed: each hop is a message and, unless it left the chain, the
// transaction that received it. Written back, hashes and times are new and fit each other.

import { createHash } from 'node:crypto'
import type { TraceFile } from '../../../../server/cli/classify/file.ts'

export type Json = Readonly<Record<string, unknown>>

export interface Hop {
  readonly message: Json
  /** Null for a message that left the chain. */
  readonly transaction: Json | null
  readonly sent: readonly Hop[]
}

export interface MadeTrace {
  readonly root: Hop
  /** What is known of the accounts, as a file has it. */
  readonly interfaces: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

interface TransactionJson extends Json {
  readonly messages: readonly Json[]
}

const byLt = (a: Json, b: Json): number => Number(BigInt(String(a.created_lt)) - BigInt(String(b.created_lt)))

/** The tree of a trace as a file has it. */
export function treeOf({ trace, transactions, interfaces }: TraceFile): MadeTrace {
  const receivers = new Map<unknown, TransactionJson>()
  for (const transaction of transactions)
    for (const message of transaction.messages)
      if (message.direction === 'in') receivers.set(message.msg_hash, transaction)
  const hopOf = (message: Json, { messages, ...transaction }: TransactionJson): Hop => ({
    message,
    transaction,
    sent: messages
      .filter(({ direction }) => direction === 'out')
      .sort(byLt)
      .map((out): Hop => {
        const receiver = receivers.get(out.msg_hash)
        return receiver === undefined ? { message: out, transaction: null, sent: [] } : hopOf(out, receiver)
      }),
  })
  const first = transactions.find(({ hash }) => hash === trace.trace_id)
  const received = first?.messages.find(({ direction }) => direction === 'in')
  if (first === undefined || received === undefined) throw new Error('a trace that does not begin with a message')
  return { root: hopOf(received, first), interfaces: interfaces ?? {} }
}

/** All hops, each before those it leads to, those nearer to the root first. */
export function hopsOf(root: Hop): Hop[] {
  const found = [root]
  for (let at = 0; at < found.length; at++) found.push(...(found[at]?.sent ?? []))
  return found
}

/** The tree with one hop replaced; null leaves it out. */
export function replaceHop(root: Hop, old: Hop, change: (hop: Hop) => Hop | null): Hop {
  const visit = (hop: Hop): Hop[] => {
    const changed = hop === old ? change(hop) : hop
    if (changed === null) return []
    return [changed === hop ? { ...hop, sent: hop.sent.flatMap(visit) } : changed]
  }
  const [found] = visit(root)
  if (found === undefined) throw new Error('a trace without its beginning')
  return found
}

/** The tree with every hop changed, those it leads to already changed. */
export const mapHops = (root: Hop, change: (hop: Hop) => Hop): Hop =>
  change({ ...root, sent: root.sent.map((hop) => mapHops(hop, change)) })

const hashOf = (kind: number, count: number): string => {
  const bytes = Buffer.alloc(32)
  bytes.writeUInt8(kind)
  bytes.writeUInt32BE(count, 28)
  return bytes.toString('base64')
}

const FIRST_LT = 1_000_000n
const LT_STEP = 1000n
const NOW = 1_700_000_000

/** As a file has it: messages and transactions numbered in the order in which they happen. */
export function fileOf({ root, interfaces }: MadeTrace): TraceFile {
  const traceId = hashOf(1, 1)
  const transactions: TraceFile['transactions'][number][] = []
  let count = 0
  const waiting: { hop: Hop; message: Json }[] = []
  const numbered = ({ message }: Hop, lt: bigint | null): Json => ({
    ...message,
    msg_hash: hashOf(2, ++count),
    trace_id: traceId,
    created_lt: lt === null ? null : String(lt),
    created_at: lt === null ? null : NOW,
  })
  waiting.push({ hop: root, message: numbered(root, null) })
  for (let at = 0; at < waiting.length; at++) {
    const { hop, message } = waiting[at] as (typeof waiting)[number]
    if (hop.transaction === null) continue
    const lt = FIRST_LT + LT_STEP * BigInt(at)
    const own = { tx_hash: hashOf(1, transactions.length + 1), tx_lt: String(lt) }
    const sent = hop.sent.map((next, i) => ({ hop: next, message: numbered(next, lt + BigInt(i + 1)) }))
    waiting.push(...sent)
    const messages = [
      { ...message, ...own, direction: 'in' },
      ...sent.map((one) => ({ ...one.message, ...own, direction: 'out' })),
    ]
    const times = { lt: String(lt), now: NOW + at, block_seqno: 1, mc_block_seqno: 1 }
    const before = { prev_trans_hash: null, prev_trans_lt: 0, account_state_hash_before: null }
    transactions.push({
      ...hop.transaction,
      ...times,
      ...before,
      account_state_hash_after: null,
      trace_id: traceId,
      hash: own.tx_hash,
      messages: messages as never,
    })
  }
  const last = transactions.at(-1)
  const trace = {
    trace_id: traceId,
    external_hash: hashOf(2, 1),
    mc_seqno_start: 1,
    mc_seqno_end: 1,
    start_lt: String(FIRST_LT),
    start_utime: NOW,
    end_lt: last?.lt,
    end_utime: last?.now,
    state: 'complete',
    pending_edges_: 0,
    edges_: count - 1,
    nodes_: transactions.length,
    classification_state: 'unclassified',
  }
  return { trace, transactions, interfaces }
}

/** Changes whenever anything of the trace does. */
export const digestOf = (file: TraceFile): string =>
  createHash('sha256').update(JSON.stringify(file)).digest('base64').slice(0, 8)
