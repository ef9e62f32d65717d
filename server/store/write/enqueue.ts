// Sends several statements of a transaction without waiting for each answer, which saves a round trip for each.

import type { Sql, SqlText } from '../database.ts'

/** Sends a statement without waiting for its answer. When it fails, the transaction fails. */
export function enqueue(to: Sql, statement: SqlText): void {
  to.query(statement).catch(() => undefined)
}

/** Resolves when all have resolved. Otherwise rejects when all are settled, with the failure of the first in the list. */
export async function settleAll(answers: readonly Promise<unknown>[]): Promise<void> {
  // A statement that fails makes those behind it fail, with an error that does not name the cause.
  for (const result of await Promise.allSettled(answers)) if (result.status === 'rejected') throw result.reason
}
