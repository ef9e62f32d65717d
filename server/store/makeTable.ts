import type { Database, SqlText } from './database.ts'
import { StoreError } from './storeError.ts'

/** Two processes that make a table at the same instant conflict, "if not exists" or not. */
const IS_THERE = ['23505', '42P07', '42710']

/** Makes a table, by a statement with "if not exists". */
export async function makeTable(database: Pick<Database, 'transaction'>, statement: SqlText): Promise<void> {
  try {
    await database.transaction((to) => to.query(statement))
  } catch (error) {
    if (!(error instanceof StoreError) || !IS_THERE.includes(error.sqlState ?? '')) throw error
  }
}
