// Transactions of traces that go on, out of the blocks that were followed without a gap: so that each block of a trace does not
// read all of it from the index again.

import type { BlockRows, TransactionFound } from '../../store/index.ts'
import { traceKey, traceParts } from './blockParts.ts'

/** In all traces together; those that began first are forgotten first. */
const MOST_TRANSACTIONS = 20_000

export class RecentParts {
  readonly #traces = new Map<string, TransactionFound[]>()
  #count = 0
  #last = -1

  /** Takes the next block; after a gap or a revert nothing is known any more. */
  add(rows: BlockRows): void {
    if (rows.mcSeqno !== this.#last + 1) this.#clear()
    this.#last = rows.mcSeqno
    for (const { traceId, state, mcSeqnoStart, mcSeqnoEnd } of rows.traces) {
      const key = traceKey(traceId)
      const known = this.#traces.get(key)
      if (state !== 'pending' && mcSeqnoEnd <= rows.mcSeqno) {
        this.#count -= known?.length ?? 0
        this.#traces.delete(key)
        continue
      }
      // One that began before, or was forgotten, is not whole here.
      if (known === undefined && mcSeqnoStart < rows.mcSeqno) continue
      const { transactions } = traceParts(rows, traceId)
      this.#traces.set(key, [...(known ?? []), ...transactions])
      this.#count += transactions.length
    }
    for (const [key, { length }] of this.#traces) {
      if (this.#count <= MOST_TRANSACTIONS) return
      this.#traces.delete(key)
      this.#count -= length
    }
  }

  /** The transactions of a trace before a block; undefined when they are not all known. */
  before({ mcSeqno }: BlockRows, traceId: Uint8Array): readonly TransactionFound[] | undefined {
    if (this.#last !== mcSeqno - 1) return undefined
    return this.#traces.get(traceKey(traceId))
  }

  #clear(): void {
    this.#traces.clear()
    this.#count = 0
  }
}
