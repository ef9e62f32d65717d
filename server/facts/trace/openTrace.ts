// A trace while messages of it are still pending, with what is counted of it so far.

import { type BinaryHash, hashFromBytes } from '../../cell/index.ts'
import type { AccountKey, MessageRow, TraceAccountRow, TraceRow, UnfinishedTrace } from '../../store/index.ts'

/** What a transaction says of the trace it belongs to. */
export interface OpenTraceTransaction {
  readonly hash: Uint8Array
  readonly account: AccountKey
  readonly lt: bigint
  readonly now: number
  readonly mcSeqno: number
  readonly inMessage: Pick<MessageRow, 'hash' | 'kind' | 'source'> | null
  readonly outMessages: readonly Pick<MessageRow, 'hash' | 'kind'>[]
}

/**
 * How a trace began: with a message from outside, with one the chain made itself, with a transaction without a message,
 * or with a message whose sender was never seen. Only the last kind stays unfinished for ever.
 */
export type RootKind = 'external' | 'system' | 'none' | 'unknown'

interface Counts {
  mcSeqnoEnd: number
  endLt: bigint
  endUtime: number
  edges: number
  nodes: number
}

export class OpenTrace {
  readonly key: BinaryHash
  readonly traceId: Uint8Array
  /** Of the external message it began with; null when it began otherwise. */
  readonly rootExternal: Uint8Array | null
  /** Pending messages. */
  readonly pending: Set<BinaryHash>
  /** Accounts that took part; known only for traces that began in the current blocks. */
  accounts: Map<BinaryHash, AccountKey> | null
  readonly #start: Pick<TraceRow, 'externalHash' | 'mcSeqnoStart' | 'startLt' | 'startUtime'>
  readonly #isBroken: boolean
  readonly #counts: Counts

  private constructor(
    { trace, rootExternal }: Pick<UnfinishedTrace, 'trace' | 'rootExternal'>,
    pending: Set<BinaryHash>,
    accounts: Map<BinaryHash, AccountKey> | null,
  ) {
    const { traceId, externalHash, mcSeqnoStart, startLt, startUtime, state } = trace
    const { mcSeqnoEnd, endLt, endUtime, edges, nodes } = trace
    this.key = hashFromBytes(traceId)
    this.traceId = traceId
    this.rootExternal = rootExternal
    this.pending = pending
    this.accounts = accounts
    this.#start = { externalHash, mcSeqnoStart, startLt, startUtime }
    this.#isBroken = state === 'broken'
    this.#counts = { mcSeqnoEnd, endLt, endUtime, edges, nodes }
  }

  /** The trace that begins with a transaction, which still has to be counted by `add`. */
  static begin({ hash, mcSeqno, lt, now, inMessage }: OpenTraceTransaction, kind: RootKind): OpenTrace {
    const trace: TraceRow = {
      traceId: hash,
      externalHash: inMessage?.hash ?? null,
      mcSeqnoStart: mcSeqno,
      startLt: lt,
      startUtime: now,
      mcSeqnoEnd: mcSeqno,
      endLt: lt,
      endUtime: now,
      state: kind === 'unknown' ? 'broken' : 'pending',
      pendingEdges: 0,
      edges: kind === 'external' || kind === 'system' ? 1 : 0,
      nodes: 0,
      classification: 'unclassified',
    }
    const rootExternal = kind === 'external' ? trace.externalHash : null
    return new OpenTrace({ trace, rootExternal }, new Set(), new Map())
  }

  /** A trace as it was left by earlier blocks. */
  static resume({ trace, rootExternal, pending }: UnfinishedTrace): OpenTrace {
    return new OpenTrace({ trace, rootExternal }, new Set(pending.map(hashFromBytes)), null)
  }

  /** Whether the trace was written before the current blocks. */
  get isStored(): boolean {
    return this.accounts === null
  }

  get isComplete(): boolean {
    return this.pending.size === 0 && !this.#isBroken
  }

  /** Counts a transaction and the messages of it that leave the chain; the others are counted while they are pending. */
  add({ account, mcSeqno, lt, now, outMessages }: OpenTraceTransaction): void {
    const counts = this.#counts
    counts.nodes++
    counts.mcSeqnoEnd = Math.max(counts.mcSeqnoEnd, mcSeqno)
    counts.endLt = lt > counts.endLt ? lt : counts.endLt
    counts.endUtime = Math.max(counts.endUtime, now)
    for (const { kind } of outMessages) if (kind !== 'internal') counts.edges++
    this.accounts?.set(hashFromBytes(account), account)
  }

  send(message: BinaryHash): void {
    this.pending.add(message)
  }

  /** A message of it has arrived. */
  receive(message: BinaryHash): void {
    if (this.pending.delete(message)) this.#counts.edges++
  }

  row(): TraceRow {
    return {
      traceId: this.traceId,
      state: this.#isBroken ? 'broken' : this.isComplete ? 'complete' : 'pending',
      // The message a broken trace began with counts as one that never arrives.
      pendingEdges: this.pending.size + (this.#isBroken ? 1 : 0),
      classification: 'unclassified',
      ...this.#start,
      ...this.#counts,
    }
  }

  accountRows(): TraceAccountRow[] {
    const { traceId } = this
    const { endLt, endUtime } = this.#counts
    return [...(this.accounts?.values() ?? [])].map((account) => ({ account, traceId, endLt, endUtime }))
  }
}
