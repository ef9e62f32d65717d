// Writing behind the reading: while one batch is written the next is made ready. At most one is being written.

import type { Database } from '../store/index.ts'

export class Writing {
  #last: Promise<void> = Promise.resolve()

  /**
   * Begins to write when the batch before is written. Resolves when the database has received all statements, so that the next
   * batch can be prepared meanwhile. Rejects with the failure of the batch before.
   */
  async begin(write: (onSent: () => void) => Promise<void>): Promise<void> {
    await this.#last
    await new Promise<void>((resolve) => {
      this.#last = write(resolve)
      // The next call reports the failure.
      this.#last.then(resolve, () => resolve())
    })
    // The message reaches the database's thread only when this thread yields.
    await new Promise<void>((resolve) => setImmediate(resolve))
  }

  /** Resolves when everything is written; rejects when it was not. */
  done(): Promise<void> {
    return this.#last
  }

  /** Resolves when nothing is being written any more; a failure is dropped. */
  async end(): Promise<void> {
    await this.#last.catch(() => undefined)
    this.#last = Promise.resolve()
  }

  /** A database whose reads wait until everything is written. */
  behind(database: Pick<Database, 'transaction'>): Pick<Database, 'transaction'> {
    return {
      transaction: async (work, options) => {
        await this.done()
        return await database.transaction(work, options)
      },
    }
  }
}
