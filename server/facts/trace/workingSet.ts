// The unfinished traces in memory, by the messages they wait for. The store has all of them; this set has those touched
// last, each complete, and while none has been evicted the store need not be read.

import { type BinaryHash, hashFromBytes, hashToBytes } from '../../cell/index.ts'
import type { UnfinishedTrace } from '../../store/index.ts'
import { OpenTrace, type OpenTraceTransaction } from './openTrace.ts'

export class WorkingSet {
  /** Those touched last come last. */
  readonly #traces = new Map<BinaryHash, OpenTrace>()
  readonly #waiting = new Map<BinaryHash, OpenTrace>()
  /** Whether every unfinished trace is here. */
  #isWhole: boolean

  /** `isWhole` says that the traces are all there are. */
  constructor(traces: readonly UnfinishedTrace[], isWhole: boolean) {
    this.#isWhole = isWhole
    for (const trace of traces.toReversed()) this.#put(OpenTrace.resume(trace))
  }

  /** Pending messages, as far as they are known here. */
  get size(): number {
    return this.#waiting.size
  }

  /** The trace that waits for a message. */
  waitingFor(message: BinaryHash): OpenTrace | undefined {
    return this.#waiting.get(message)
  }

  /** Messages that transactions consume and that only the store may know of. */
  unknownTo(transactions: readonly OpenTraceTransaction[]): Uint8Array[] {
    if (this.#isWhole) return []
    const consumed = new Set<BinaryHash>()
    for (const { inMessage } of transactions) {
      if (inMessage?.kind !== 'internal') continue
      const hash = hashFromBytes(inMessage.hash)
      if (!this.#waiting.has(hash)) consumed.add(hash)
    }
    for (const { outMessages } of transactions) for (const { hash } of outMessages) consumed.delete(hashFromBytes(hash))
    return [...consumed].map(hashToBytes)
  }

  /** Takes up traces found in the store. */
  load(traces: readonly UnfinishedTrace[]): void {
    for (const found of traces) {
      const trace = OpenTrace.resume(found)
      if (!this.#traces.has(trace.key)) this.#put(trace)
    }
  }

  /** Notes what a trace waits for now; one that waits for nothing any more is let go. */
  touch(trace: OpenTrace): void {
    this.#traces.delete(trace.key)
    if (trace.pending.size > 0) this.#traces.set(trace.key, trace)
  }

  expect(message: BinaryHash, trace: OpenTrace): void {
    this.#waiting.set(message, trace)
  }

  arrived(message: BinaryHash): void {
    this.#waiting.delete(message)
  }

  /** Evicts the least recently touched traces. Call it when everything here is in the store. */
  shrink(mostMessages: number): void {
    for (const trace of this.#traces.values()) {
      if (this.#waiting.size <= mostMessages) return
      this.#isWhole = false
      this.#traces.delete(trace.key)
      for (const message of trace.pending) this.#waiting.delete(message)
    }
  }

  #put(trace: OpenTrace): void {
    this.#traces.set(trace.key, trace)
    for (const message of trace.pending) this.#waiting.set(message, trace)
  }
}
