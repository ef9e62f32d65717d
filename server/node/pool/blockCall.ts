// A call about a masterchain block, by how far the block is from the head of the server.

import { MASTERCHAIN } from '../blockId.ts'
import { LiteError } from '../liteErrors.ts'
import type { VerbCall } from './verbs.ts'

/** A server that lags at most this much is given time to get the block. */
const NEAR_BLOCKS = 2
/** Older blocks than this may be gone; a newer one that is missing is only late. */
export const OLD_BLOCKS = 1_000

export class BlockCall {
  /** What is called first: a block that the server is about to get is waited for. */
  readonly first: VerbCall
  /** The same call, answered when the server has the block. */
  readonly waiting: VerbCall
  readonly #head: number
  /** Null for a call that is about no masterchain block. */
  readonly #seqno: number | null
  readonly #isNear: boolean

  constructor(call: VerbCall, head: number) {
    const { about, options } = call
    const seqno = about?.workchain === MASTERCHAIN ? about.seqno : null
    this.#head = head
    this.#seqno = seqno
    this.#isNear = seqno !== null && seqno <= head + NEAR_BLOCKS && options.waitSeqno === undefined
    this.waiting = seqno === null ? call : { ...call, options: { ...options, waitSeqno: seqno } }
    this.first = this.#isNear && seqno !== null && seqno > head ? this.waiting : call
  }

  /** How far behind the head the block is that the server does not have; null for another failure. */
  missingAge(error: unknown): number | null {
    const age = this.#seqno === null ? -1 : this.#head - this.#seqno
    return age >= 0 && error instanceof LiteError && error.isMissing ? age : null
  }

  /** Whether the block is known but not yet all its shards: the server can wait until it is complete. */
  isLate(error: unknown): boolean {
    const age = this.#seqno === null ? -1 : this.#head - this.#seqno
    const isNotReady = error instanceof LiteError && error.kind === 'notReady'
    return this.#isNear && age >= 0 && age <= NEAR_BLOCKS && isNotReady
  }
}
