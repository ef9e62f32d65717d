// A read is a statement, which tests can explain before it is run, and the decoder of its rows.

import type { Sql, SqlRow, SqlText, StatementOptions } from '../database.ts'

export interface StoreRead<T> {
  readonly statement: SqlText
  readonly toValue: (row: SqlRow) => T
}

export async function readAll<T>(
  from: Sql,
  { statement, toValue }: StoreRead<T>,
  options?: StatementOptions,
): Promise<T[]> {
  return (await from.query(statement, options)).map(toValue)
}

/** As many names a statement may have: with more a long page runs into its time limit, and holds up an embedded database. */
export const MOST_NAMES = 500

/** What is read for all of a long list, in its order: some at once, so that statements of others run in between. */
export async function inRounds<T, R>(
  all: readonly T[],
  readFor: (some: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const found: R[] = []
  for (let from = 0; from < all.length; from += MOST_NAMES)
    for (const one of await readFor(all.slice(from, from + MOST_NAMES))) found.push(one)
  return found
}
