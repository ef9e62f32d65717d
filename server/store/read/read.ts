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
