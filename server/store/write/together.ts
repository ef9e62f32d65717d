// Statements that are asked at once, so that the database has the next when it is done with one.

/** Resolves when all of them have; rejects then, with the failure of the first one asked that failed. */
export async function together(asked: readonly Promise<unknown>[]): Promise<void> {
  // One that fails makes those behind it fail, which says nothing.
  for (const result of await Promise.allSettled(asked)) if (result.status === 'rejected') throw result.reason
}
