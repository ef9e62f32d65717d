// What an older version of this program did not write, filled in while the indexer is idle: some rows at a time, each time in an SQL
// transaction of its own, so that it can be stopped at any moment and resumes where it was.

import { type Database, fillItemOwners, lockIndex } from '../store/index.ts'
import { Backfill } from './actions/backfill.ts'
import type { OnFailure } from './actions/classifier.ts'

/** A new block waits for no more. */
const MOST_OWNERS = 500

/** Blocks and collections of changes of owners: a step of the tables fills in those of its last day alone. */
export class OwnersFill {
  readonly #database: Pick<Database, 'transaction'>
  readonly #most: number
  #isDone = false

  constructor(database: Pick<Database, 'transaction'>, most = MOST_OWNERS) {
    this.#database = database
    this.#most = most
  }

  /** Runs while the indexer is idle, until none is left. */
  async while(isIdle: () => boolean): Promise<void> {
    while (!this.#isDone && isIdle()) {
      const filled = await this.#database.transaction(async (to) => {
        await lockIndex(to)
        return await fillItemOwners(to, this.#most)
      })
      this.#isDone = filled < this.#most
    }
  }
}

/** To be called when the indexer is idle. */
export function laterFills(
  database: Pick<Database, 'transaction'>,
  onUnclassified: OnFailure,
): (isIdle: () => boolean) => Promise<void> {
  const traces = new Backfill(database, onUnclassified)
  const owners = new OwnersFill(database)
  return async (isIdle) => {
    await traces.while(isIdle)
    await owners.while(isIdle)
  }
}
