// Traces that were sent to subscribers before they were final. When one turns out not to happen, those subscribers get a
// `trace_invalidated` notification.

import { toBase64 } from '../../shared/base64.ts'
import type { LiveTrace } from '../methods/index.ts'
import type { TransactionFound } from '../store/index.ts'
import type { Rests } from './reportPace.ts'
import type { Subscriber } from './subscriber.ts'
import { UnfinishedTraces } from './unfinishedTraces.ts'

export interface ReportedTracesParts {
  readonly subscribers: readonly ReadonlySet<Subscriber>[]
  /** Whether a message still waits for a block, by its normalised hash in base64. */
  readonly waits: (hash: string) => boolean
  /** Milliseconds of a clock that never jumps; by default that of the process. */
  readonly now?: (() => number) | undefined
}

export class ReportedTraces {
  readonly #parts: ReportedTracesParts
  readonly #unfinished: UnfinishedTraces

  constructor(parts: ReportedTracesParts) {
    this.#parts = parts
    this.#unfinished = new UnfinishedTraces(parts.now)
  }

  /** Null for one that is not known, or not whole. */
  get(hash: string): LiveTrace | null {
    return this.#unfinished.get(hash)
  }

  notePredicted(trace: LiveTrace): void {
    this.#unfinished.add(trace, null)
  }

  noteInBlock(trace: LiveTrace, isFinal: boolean, mcSeqno: number): void {
    if (isFinal) this.#unfinished.remove(toBase64(trace.hashNorm))
    else this.#unfinished.add(trace, mcSeqno)
  }

  /** A block has the first transaction of a trace: that of another prediction for its wallet never comes. */
  noteRoot(root: TransactionFound, hash: string, mcSeqno: number): void {
    this.#unfinished.noteInBlock(hash, mcSeqno)
    for (const rival of this.#unfinished.rivalsOf(root)) this.withdraw(rival)
  }

  /** Sends `trace_invalidated` to all subscribers that this trace was sent to. */
  withdraw(hash: string): void {
    this.#unfinished.remove(hash)
    const text = JSON.stringify({ type: 'trace_invalidated', trace_external_hash_norm: hash })
    for (const some of this.#parts.subscribers)
      for (const subscriber of some) if (subscriber.forgetUnfinished(hash)) subscriber.sink.send(text, null)
  }

  /** Withdraws predicted traces that did not change for so long. */
  withdrawOlderThan(ms: number, pace: Rests): Promise<void> {
    return this.#withdrawEach(this.#unfinished.olderThan(ms), pace)
  }

  /** After a revert to a block: withdraws traces of later blocks, and predicted ones whose message is not pending any more. */
  async withdrawAbove(mcSeqno: number, pace: Rests): Promise<void> {
    await this.#withdrawEach(this.#unfinished.above(mcSeqno), pace)
    const gone = this.#unfinished.predicted().filter((hash) => !this.#parts.waits(hash))
    await this.#withdrawEach(gone, pace)
  }

  /** There may be thousands, each of which is looked for with thousands of subscribers. */
  async #withdrawEach(hashes: readonly string[], pace: Rests): Promise<void> {
    for (const [i, hash] of hashes.entries()) {
      if (i > 0 && pace.isDue) await pace.rest()
      this.withdraw(hash)
    }
  }
}
