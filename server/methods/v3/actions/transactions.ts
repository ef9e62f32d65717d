// The transactions of actions, for callers that want them included.

import { ApiError } from '../../../../shared/errors.ts'
import { toHex } from '../../../../shared/hex.ts'
import {
  type ActionRow,
  readAll,
  readTransactionParts,
  type Sql,
  type TransactionFound,
  transactionsByHashRead,
} from '../../../store/index.ts'
import type { Call } from '../../call.ts'

/** Transactions of one page: what is read and written at once. */
const MOST_TRANSACTIONS = 20_000

/** By hash in hex. Throws ApiError for more than one answer should hold. */
export async function transactionsOfActions(
  store: Sql,
  rows: readonly Pick<ActionRow, 'transactions'>[],
  call: Call,
): Promise<ReadonlyMap<string, TransactionFound>> {
  const count = rows.reduce((sum, { transactions }) => sum + transactions.length, 0)
  if (count > MOST_TRANSACTIONS) {
    const text = `limit is not allowed: these ${rows.length} actions have ${count} transactions > ${MOST_TRANSACTIONS}`
    throw new ApiError('invalidParams', text, { param: 'limit', limit: MOST_TRANSACTIONS })
  }
  const hashes = new Map(rows.flatMap(({ transactions }) => transactions.map((hash) => [toHex(hash), hash] as const)))
  if (hashes.size === 0) return new Map()
  const found = await readAll(store, transactionsByHashRead([...hashes.values()]), call)
  const parts = await readTransactionParts(store, found, call)
  return new Map(parts.map((part) => [toHex(part.row.hash), part]))
}
