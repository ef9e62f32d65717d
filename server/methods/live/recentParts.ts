// Transactions of traces that go on, out of the blocks that were followed without a gap: so that each block of a trace does not
// read all of it from the index again.

import type { BlockRows, TransactionFound } from '../../store/index.ts'
import { traceKey, traceParts } from './blockParts.ts'
import { bytesOfTransactions } from './bytesOfTransactions.ts'
import { isLargeTrace } from './largeTraces.ts'

/** Of all traces together, with their messages; those that began first are forgotten first. */
const MOST_BYTES = 128 << 20

interface Kept {
  readonly transactions: readonly TransactionFound[]
  readonly bytes: number
}

export class RecentParts {
  readonly #traces = new Map<string, Kept>()
  #bytes = 0
  #last = -1

  /** Takes the next block; after a gap or a revert nothing is known any more. */
  add(rows: BlockRows): void {
    if (rows.mcSeqno !== this.#last + 1) this.clear()
    this.#last = rows.mcSeqno
    for (const { traceId, state, mcSeqnoStart, mcSeqnoEnd, nodes } of rows.traces) {
      const key = traceKey(traceId)
      const known = this.#traces.get(key)
      if ((state !== 'pending' && mcSeqnoEnd <= rows.mcSeqno) || isLargeTrace({ nodes })) {
        this.#forget(key)
        continue
      }
      // One that began before, or was forgotten, is not whole here.
      if (known === undefined && mcSeqnoStart < rows.mcSeqno) continue
      const { transactions } = traceParts(rows, traceId)
      const bytes = bytesOfTransactions(transactions)
      this.#traces.set(key, {
        transactions: [...(known?.transactions ?? []), ...transactions],
        bytes: (known?.bytes ?? 0) + bytes,
      })
      this.#bytes += bytes
    }
    this.#makeRoom()
  }

  /** Takes those of a trace before the block that comes next, which were read. */
  learn({ mcSeqno }: BlockRows, traceId: Uint8Array, transactions: readonly TransactionFound[]): void {
    if (this.#last !== mcSeqno - 1) return
    const key = traceKey(traceId)
    this.#forget(key)
    const bytes = bytesOfTransactions(transactions)
    this.#traces.set(key, { transactions, bytes })
    this.#bytes += bytes
    this.#makeRoom()
  }

  /** The transactions of a trace before a block; undefined when they are not all known. */
  before({ mcSeqno }: BlockRows, traceId: Uint8Array): readonly TransactionFound[] | undefined {
    if (this.#last !== mcSeqno - 1) return undefined
    return this.#traces.get(traceKey(traceId))?.transactions
  }

  #makeRoom(): void {
    for (const key of this.#traces.keys()) {
      if (this.#bytes <= MOST_BYTES) return
      this.#forget(key)
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#traces.get(key)?.bytes ?? 0
    this.#traces.delete(key)
  }

  clear(): void {
    this.#traces.clear()
    this.#bytes = 0
    this.#last = -1
  }
}
