// Writing behind the reading: while one batch is written the next is made ready. At most one is being written.

import type { Database } from '../store/index.ts'

export class Writing {
  #last: Promise<void> = Promise.resolve()

  /**
   * Begins to write when what is being written is, and resolves when it says that the database has all of it: then both have
   * something to do. Rejects with the failure of the one before.
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

  /** Resolves when nothing is being written any more, whatever came of it; what failed is forgotten. */
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
