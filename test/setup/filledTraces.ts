// Traces of a filled store: which are begun, what they wait for, and their rows as they stand when they are written.

import type {
  AccountKey,
  MasterBlockRows,
  MessageRow,
  PendingEdgeRow,
  TraceAccountRow,
  TraceRow,
} from '../../server/store/index.ts'
import type { Holder } from './filledAccounts.ts'

/** A message on its way. */
export interface Letter {
  readonly message: MessageRow
  readonly to: Holder
  readonly trace: OpenTrace
  /** Transactions there will be from here on. */
  readonly budget: number
}

type Growing<T> = { -readonly [K in keyof T]: T[K] }

export interface OpenTrace {
  /** Null before its first transaction. */
  row: Growing<TraceRow> | null
  /** Of the external message it begins with. */
  readonly external: Uint8Array | null
  readonly first: Uint8Array | null
  readonly accounts: Map<string, AccountKey>
  /** Begun before what is written now. */
  old: boolean
}

export interface Joined {
  readonly hash: Uint8Array
  readonly lt: bigint
  readonly now: number
  readonly account: AccountKey
  readonly mcSeqno: number
}

type TraceParts = Pick<MasterBlockRows, 'traces' | 'traceAccounts' | 'completedTraces' | 'newEdges' | 'consumedEdges'>

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

export class FilledTraces {
  readonly #touched = new Set<OpenTrace>()
  /** Messages that wait and were not written yet, and written ones that wait no more. */
  readonly #fresh = new Map<string, PendingEdgeRow>()
  #consumed: Uint8Array[] = []

  begin(message: MessageRow | null): OpenTrace {
    const first = message?.hash ?? null
    const external = message?.kind === 'externalIn' ? message.hash : null
    return { row: null, external, first, accounts: new Map(), old: false }
  }

  /** Adds a transaction. */
  join(trace: OpenTrace, { hash, lt, now, account, mcSeqno }: Joined): TraceRow {
    const end = { mcSeqnoEnd: mcSeqno, endLt: lt, endUtime: now }
    if (trace.row === null) {
      trace.row = {
        traceId: hash,
        externalHash: trace.first,
        mcSeqnoStart: mcSeqno,
        startLt: lt,
        startUtime: now,
        ...end,
        state: 'complete',
        pendingEdges: 0,
        edges: trace.first === null ? 0 : 1,
        nodes: 0,
        classification: 'unclassified',
      }
    } else if (lt > trace.row.endLt) Object.assign(trace.row, end)
    trace.row.nodes++
    trace.accounts.set(textOf(account), account)
    this.#touched.add(trace)
    return trace.row
  }

  /** Messages it waits for from now on, and how many left the chain. */
  sent({ row }: OpenTrace, messages: readonly MessageRow[], left: number): void {
    if (row === null) return
    row.edges += left
    row.pendingEdges += messages.length
    if (row.pendingEdges > 0) row.state = 'pending'
    for (const { hash } of messages) this.#fresh.set(textOf(hash), { msgHash: hash, traceId: row.traceId })
  }

  /** The message a transaction of it took; that of its first one it never waited for. */
  consumed({ row, first }: OpenTrace, { hash }: MessageRow): void {
    if (row === null || first === hash) return
    row.edges++
    row.pendingEdges--
    if (row.pendingEdges === 0) row.state = 'complete'
    if (!this.#fresh.delete(textOf(hash))) this.#consumed.push(hash)
  }

  /** What changed since the last call. */
  written(): TraceParts {
    const traces: TraceRow[] = []
    const traceAccounts: TraceAccountRow[] = []
    const completedTraces: Uint8Array[] = []
    for (const { row, accounts, old } of this.#touched) {
      if (row === null) continue
      traces.push({ ...row })
      if (row.state !== 'complete') continue
      const { traceId, endLt, endUtime } = row
      if (old) completedTraces.push(traceId)
      else for (const account of accounts.values()) traceAccounts.push({ account, traceId, endLt, endUtime })
    }
    for (const trace of this.#touched) trace.old = true
    const edges = { newEdges: [...this.#fresh.values()], consumedEdges: this.#consumed }
    this.#touched.clear()
    this.#fresh.clear()
    this.#consumed = []
    return { traces, traceAccounts, completedTraces, ...edges }
  }
}
