// Reads of blocks that were undone: the network behind the lite servers was reverted, and its proven head is gone or was replaced
// a moment ago. What servers answer then says that a block is missing or unknown; callers learn that it will pass.

import { oneAtATime } from '../../fairness/index.ts'
import { LiteError } from '../liteErrors.ts'
import type { LiteServer } from '../liteServer.ts'
import { type Clock, systemClock } from '../systemClock.ts'
import { ProofError } from '../verify/index.ts'
import { stillThere } from './stillThere.ts'
import type { ProvenHead, TrustedHead } from './trustOptions.ts'

/** For so long after a revert, calls may still be about blocks of the old branch. */
const BRANCH_MS = 10_000

/** The chain is reverted: the same call will be answered when its new blocks are proven. */
export class ChainReverted extends LiteError {
  override readonly name = 'ChainReverted'

  constructor(cause: LiteError | ProofError) {
    super('notReady', `the chain was reverted, and its new blocks are being proven: ${cause.message}`, { cause })
    this.asked = cause instanceof LiteError ? cause.asked : null
  }
}

/** Whether a read of an undone block can fail like this. */
const mayBeUndone = (error: unknown): error is LiteError | ProofError =>
  error instanceof ProofError || (error instanceof LiteError && (error.isMissing || !error.isTransient))

const isLate = (error: unknown): error is LiteError => error instanceof LiteError && error.kind === 'timeout'

export interface UndoneReadsParts {
  readonly server: LiteServer
  readonly trust: Pick<TrustedHead, 'head'>
  /** Whether the chain's owner can revert it. */
  readonly canRewind: boolean
  readonly timer?: Pick<Clock, 'now'>
}

export class UndoneReads {
  readonly #trust: Pick<TrustedHead, 'head'>
  readonly #canRewind: boolean
  readonly #timer: Pick<Clock, 'now'>
  #branch: number | null = null
  /** When the branch was found to be another one. */
  #changedAt = Number.NEGATIVE_INFINITY
  /** Whether no server has the head any more; one query for all who fail meanwhile. */
  readonly #isGone: () => Promise<boolean>

  constructor({ server, trust, canRewind, timer = systemClock }: UndoneReadsParts) {
    this.#trust = trust
    this.#canRewind = canRewind
    this.#timer = timer
    this.#isGone = oneAtATime(async () => trust.head !== null && (await stillThere(server, trust.head.id)) === false)
  }

  /** The same read; it rejects with `ChainReverted` where its failure is due to that. */
  guard<A extends readonly unknown[], T>(read: (...given: A) => Promise<T>): (...given: A) => Promise<T> {
    return (...given) => {
      this.#look()
      return read(...given).catch((error: unknown) => this.#fail(error))
    }
  }

  /** The head now, after its branch was compared with the last one. */
  #look(): ProvenHead | null {
    const { head } = this.#trust
    if (head === null || head.branch === this.#branch) return head
    if (this.#branch !== null) this.#changedAt = this.#timer.now()
    this.#branch = head.branch
    return head
  }

  async #fail(error: unknown): Promise<never> {
    const head = this.#look()
    // Pools wait for a server that has the block.
    if (isLate(error)) throw this.#hasChanged ? new ChainReverted(error) : error
    if (head === null || !mayBeUndone(error)) throw error
    const isUndone = this.#hasChanged || (this.#canRewind && (await this.#isGone())) || this.#hasChanged
    throw isUndone ? new ChainReverted(error) : error
  }

  get #hasChanged(): boolean {
    this.#look()
    return this.#timer.now() - this.#changedAt < BRANCH_MS
  }
}
