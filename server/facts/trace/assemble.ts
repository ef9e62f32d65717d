// Transactions become trees: each joins the trace that sent it its message, or begins one. Fed with masterchain blocks
// in their order, the same blocks give the same traces, whichever way they are cut into batches.

import { type BinaryHash, hashFromBytes, hashToBytes } from '../../cell/index.ts'
import type { PendingEdgeRow, TraceAccountRow, TraceRow } from '../../store/index.ts'
import { isFromSystem } from '../parse/system.ts'
import { byLtAndAccount } from '../parse/transactions.ts'
import { OpenTrace, type OpenTraceTransaction, type RootKind } from './openTrace.ts'
import type { WorkingSet } from './workingSet.ts'

/** All transactions of a masterchain block and of the shard blocks it commits. */
export interface TraceStep<T extends OpenTraceTransaction> {
  readonly transactions: readonly T[]
  /** Whether the chain itself made the message of this transaction, which no transaction sent. */
  readonly isMadeByChain: (transaction: T) => boolean
}

/** What some masterchain blocks did to traces. */
export interface AssembledTraces<T extends OpenTraceTransaction> {
  readonly traceOf: ReadonlyMap<T, Pick<OpenTrace, 'traceId' | 'rootExternal'>>
  /** Every trace that was touched, after the step. */
  readonly traces: readonly TraceRow[]
  /** Accounts of traces that began and were completed here. */
  readonly traceAccounts: readonly TraceAccountRow[]
  /** Traces that began earlier and were completed here. */
  readonly completedTraces: readonly Uint8Array[]
  readonly newEdges: readonly PendingEdgeRow[]
  readonly consumedEdges: readonly Uint8Array[]
}

/** Transactions after which others may be served. */
const PIECE = 100

/** Carries the working set over some masterchain blocks, in pieces: to the end, or the set must be dropped. */
export function* assemblingTraces<T extends OpenTraceTransaction>(
  set: WorkingSet,
  steps: readonly TraceStep<T>[],
): Generator<void, AssembledTraces<T>> {
  const assembly = new Assembly<T>(set)
  for (const step of steps) {
    yield* assembly.taking(step)
    yield
  }
  return assembly.finish()
}

class Assembly<T extends OpenTraceTransaction> {
  readonly #set: WorkingSet
  readonly #traceOf = new Map<T, OpenTrace>()
  readonly #touched = new Set<OpenTrace>()
  /** Messages sent in the current blocks and not yet consumed. */
  readonly #sent = new Map<BinaryHash, OpenTrace>()
  readonly #consumed: Uint8Array[] = []

  constructor(set: WorkingSet) {
    this.#set = set
  }

  *taking(step: TraceStep<T>): Generator<void, void> {
    const sorted = step.transactions.toSorted(byLtAndAccount)
    const senders = new Map<BinaryHash, T>()
    for (const [i, transaction] of sorted.entries()) {
      if (i % PIECE === 0) yield
      for (const { hash, kind } of transaction.outMessages)
        if (kind === 'internal') senders.set(hashFromBytes(hash), transaction)
    }
    for (const [i, transaction] of sorted.entries()) {
      if (i % PIECE === PIECE - 1) yield
      this.#takeFrom(transaction, senders, step)
    }
  }

  /** Takes a transaction after those of the same step it goes back to. */
  #takeFrom(last: T, senders: ReadonlyMap<BinaryHash, T>, step: TraceStep<T>): void {
    const path: T[] = []
    const onPath = new Set<T>()
    for (let at: T | undefined = last; at !== undefined; ) {
      if (this.#traceOf.has(at) || onPath.has(at)) break
      path.push(at)
      onPath.add(at)
      at = at.inMessage?.kind === 'internal' ? senders.get(hashFromBytes(at.inMessage.hash)) : undefined
    }
    for (const transaction of path.reverse()) this.#takeOne(transaction, step)
  }

  #takeOne(transaction: T, step: TraceStep<T>): void {
    const trace = this.#join(transaction) ?? OpenTrace.begin(transaction, rootKind(transaction, step))
    this.#traceOf.set(transaction, trace)
    this.#touched.add(trace)
    trace.add(transaction)
    for (const { hash, kind } of transaction.outMessages)
      if (kind === 'internal') this.#send(hashFromBytes(hash), trace)
    this.#set.touch(trace)
  }

  /** The trace that waits for the transaction's message, which has now arrived. */
  #join({ inMessage }: T): OpenTrace | undefined {
    if (inMessage?.kind !== 'internal') return undefined
    const message = hashFromBytes(inMessage.hash)
    const trace = this.#set.waitingFor(message)
    if (trace === undefined) return undefined
    trace.receive(message)
    this.#set.arrived(message)
    if (!this.#sent.delete(message)) this.#consumed.push(inMessage.hash)
    return trace
  }

  #send(message: BinaryHash, trace: OpenTrace): void {
    // A message is one of a kind; a second of the same hash has no edge of its own.
    if (this.#set.waitingFor(message) !== undefined) return
    trace.send(message)
    this.#set.expect(message, trace)
    this.#sent.set(message, trace)
  }

  finish(): AssembledTraces<T> {
    const complete = [...this.#touched].filter(({ isComplete }) => isComplete)
    const assembled = {
      traceOf: this.#traceOf,
      traces: [...this.#touched].map((trace) => trace.row()),
      traceAccounts: complete.flatMap((trace) => trace.accountRows()),
      completedTraces: complete.filter(({ isStored }) => isStored).map(({ traceId }) => traceId),
      newEdges: [...this.#sent].map(([message, { traceId }]) => ({ msgHash: hashToBytes(message), traceId })),
      consumedEdges: this.#consumed,
    }
    for (const trace of this.#touched) trace.accounts = null
    return assembled
  }
}

function rootKind<T extends OpenTraceTransaction>(transaction: T, { isMadeByChain }: TraceStep<T>): RootKind {
  const { inMessage } = transaction
  if (inMessage === null) return 'none'
  if (inMessage.kind !== 'internal') return 'external'
  return isFromSystem(inMessage.source) || isMadeByChain(transaction) ? 'system' : 'unknown'
}
