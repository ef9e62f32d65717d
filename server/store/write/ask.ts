// Statements of a transaction that nobody waits for: what is behind them goes out at once, the end of it too.

import type { Sql, SqlText } from '../database.ts'

/** Asks in a transaction, which fails when this does. */
export function ask(to: Sql, statement: SqlText): void {
  to.query(statement).catch(() => undefined)
}
