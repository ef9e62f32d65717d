// The transactions of actions, for callers that want them included.

import { ApiError } from '../../../../shared/errors.ts'
import { toHex } from '../../../../shared/hex.ts'
import { type ActionRow, readTransactionsByHash, type Sql, type TransactionFound } from '../../../store/index.ts'
import { type KnownTokens, readTokens } from '../../balance/changes.ts'
import type { Call } from '../../call.ts'
import { readBoundedParts } from '../bounded/boundedParts.ts'

/** Transactions of one page: what is read and written at once. */
const MOST_TRANSACTIONS = 20_000

export interface ActionTransactions {
  /** By hash in hex, without those that were removed meanwhile. */
  readonly found: ReadonlyMap<string, TransactionFound>
  /** Null unless balance changes are wanted. */
  readonly tokens: KnownTokens | null
  /** Whether none was removed meanwhile. */
  readonly isWhole: boolean
}

/** Throws ApiError for more than one answer should hold. */
export async function transactionsOfActions(
  store: Sql,
  { rows, withTokens }: { readonly rows: readonly Pick<ActionRow, 'transactions'>[]; readonly withTokens: boolean },
  call: Call,
): Promise<ActionTransactions> {
  const count = rows.reduce((sum, { transactions }) => sum + transactions.length, 0)
  if (count > MOST_TRANSACTIONS) {
    const text = `limit is not allowed: these ${rows.length} actions have ${count} transactions > ${MOST_TRANSACTIONS}`
    throw new ApiError('invalidParams', text, { param: 'limit', limit: MOST_TRANSACTIONS })
  }
  const hashes = new Map(rows.flatMap(({ transactions }) => transactions.map((hash) => [toHex(hash), hash] as const)))
  const found = await readTransactionsByHash(store, [...hashes.values()], call)
  const tokens = withTokens ? await readTokens(store, found, call) : null
  const parts = await readBoundedParts(store, { others: found }, call)
  return {
    found: new Map(parts.map((part) => [toHex(part.row.hash), part])),
    tokens,
    isWhole: parts.length === hashes.size,
  }
}
