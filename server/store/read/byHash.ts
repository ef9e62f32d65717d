// Transactions by their hashes.

import { sql } from '../sql.ts'
import { type TransactionRow, transactions } from '../tables/chain.ts'
import type { Read } from './read.ts'
import { SELECT_TRANSACTIONS } from './transactions.ts'

/** In no order. */
export const transactionsByHashRead = (hashes: readonly Uint8Array[]): Read<TransactionRow> => ({
  statement: sql`${SELECT_TRANSACTIONS} where t.hash = any(${hashes}::bytea[])`,
  toValue: transactions.decode,
})
