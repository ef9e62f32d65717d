// What a read is: a statement that can be looked at before it is run, and the way from a row of it to a value of ours.

import type { QueryOptions, Row, Sql, SqlText } from '../database.ts'

export interface Read<T> {
  readonly statement: SqlText
  readonly toValue: (row: Row) => T
}

export async function readAll<T>(from: Sql, { statement, toValue }: Read<T>, options?: QueryOptions): Promise<T[]> {
  return (await from.query(statement, options)).map(toValue)
}
