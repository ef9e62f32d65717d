// A queue of changes to the chain: each starts when the one before has ended, failed or not.

import { ChangeDropped } from '../../node/index.ts'

/** The refusal of a change that comes too late. */
export const chainClosing = (): ChangeDropped => new ChangeDropped('Not done: the chain is closing')

export class ChangeQueue {
  #last: Promise<unknown> = Promise.resolve()
  #isOver = false

  /** Rejects with ChangeDropped after the end. */
  take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isOver) return Promise.reject(chainClosing())
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** No change begins from now on but those that were taken. Resolves when these have ended. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#last
  }
}
