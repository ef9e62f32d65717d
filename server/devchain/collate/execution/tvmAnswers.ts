// Trees out of the texts the TVM answers with.

import { type Cell, MAX_DEPTH, readBoc, readingBoc } from '../../../cell/index.ts'

const LIMITS = { maxDepth: MAX_DEPTH, isOwn: true } as const

/** Bytes of the first array texts go into together; each further one is twice as long, for most blocks are small. */
const FIRST_SLAB = 1 << 11
const LARGEST_SLAB = 1 << 16
/** A longer text has an array of its own. */
const MOST = LARGEST_SLAB >> 3

/** A tree that is not kept for long, or alone. */
export const fromTvm = (boc: string): Cell => readBoc(Buffer.from(boc, 'base64'), LIMITS)

/** The same in pieces, for large ones. */
export const readingFromTvm = (boc: string): Generator<void, Cell> => readingBoc(Buffer.from(boc, 'base64'), LIMITS)

/**
 * Trees that are kept and dropped together, as the transactions of a block are. An array for each would cost the collector
 * of garbage more than the cells do.
 */
export class TvmAnswers {
  #slab = Buffer.alloc(0)
  #used = 0

  read(boc: string): Cell {
    if (boc.length > MOST) return fromTvm(boc)
    if (this.#used + boc.length > this.#slab.length) this.#begin(boc.length)
    const start = this.#used
    this.#used += this.#slab.write(boc, start, 'base64')
    return readBoc(this.#slab.subarray(start, this.#used), LIMITS)
  }

  #begin(atLeast: number): void {
    const next = Math.min(LARGEST_SLAB, Math.max(FIRST_SLAB, 2 * this.#slab.length))
    this.#slab = Buffer.allocUnsafeSlow(Math.max(next, atLeast))
    this.#used = 0
  }
}
