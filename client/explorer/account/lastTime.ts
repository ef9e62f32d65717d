// When an account was last active: from the rows the page has anyway, else by one more call.

import { accountTraces, firstTransactions } from '../../../shared/explorer/accountQueries.ts'
import { transactionsByHash } from '../../../shared/explorer/explorerQueries.ts'
import type { AccountStateFull } from '../../index.ts'
import { known } from '../pageClient.ts'
import { useReplies } from '../useReplies.ts'

/** Unix seconds; null for an account without transactions, undefined while it loads. */
export function useLastTime(raw: string, state: AccountStateFull | undefined): number | null | undefined {
  const hash = state && /[1-9]/.test(state.last_transaction_lt) ? state.last_transaction_hash : null
  const seen = [
    ...(known(accountTraces(raw))?.traces ?? []).flatMap(({ transactions }) => Object.values(transactions ?? {})),
    ...(known(firstTransactions(raw, 'usual'))?.transactions ?? []),
    ...(known(firstTransactions(raw, 'few'))?.transactions ?? []),
  ].find((one) => one.hash === hash)
  const { data, error } = useReplies(hash === null || seen !== undefined ? [] : transactionsByHash([hash]))
  if (seen === undefined && data === null && error === null) return undefined
  return (seen ?? data?.[0]?.transactions[0])?.now ?? null
}
