// Transactions by their hashes.

import type { TransactionRow } from '../rows.ts'
import { sql } from '../sql.ts'
import type { Read } from './read.ts'
import { SELECT_TRANSACTIONS, transactionOf } from './transactions.ts'

/** In no order. */
export const transactionsByHashRead = (hashes: readonly Uint8Array[]): Read<TransactionRow> => ({
  statement: sql`${SELECT_TRANSACTIONS} where t.hash = any(${hashes}::bytea[])`,
  toValue: transactionOf,
})
