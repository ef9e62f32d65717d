// Writing behind the reading: while one batch is written the next is made ready. At most one is being written.

import type { Database } from '../store/index.ts'

export class Writing {
  #last: Promise<void> = Promise.resolve()

  /** Begins to write when what is being written is, and resolves then. Rejects with the failure of the one before. */
  async begin(write: () => Promise<void>): Promise<void> {
    await this.#last
    this.#last = write()
    // Told by whoever asks next.
    this.#last.catch(() => undefined)
    // What is asked of the database reaches its thread when nobody holds this one: then both have something to do.
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

  /** A database that is asked when everything is written. */
  behind(database: Pick<Database, 'transaction'>): Pick<Database, 'transaction'> {
    return {
      transaction: async (work) => {
        await this.done()
        return await database.transaction(work)
      },
    }
  }
}
