// When an account was last active: from the rows the page has anyway, else by one more call.

import { accountTraces, firstTransactions } from '../../../shared/explorer/accountQueries.ts'
import { transactionsByHash } from '../../../shared/explorer/explorerQueries.ts'
import type { AccountStateFull, Transaction } from '../../index.ts'
import { known } from '../pageClient.ts'
import { type Loaded, useReplies } from '../useReplies.ts'

interface LastTime {
  /** Unix seconds; null for an account without transactions, undefined while it loads. */
  readonly at: number | null | undefined
  readonly found: Loaded<unknown>
}

export function useLastTime(raw: string, state: AccountStateFull | undefined): LastTime {
  const hash = state && /[1-9]/.test(state.last_transaction_lt) ? state.last_transaction_hash : null
  const seen = [
    ...(known(accountTraces(raw))?.traces ?? []).flatMap(({ transactions }) => Object.values(transactions ?? {})),
    ...(known(firstTransactions(raw, 'usual'))?.transactions ?? []),
    ...(known(firstTransactions(raw, 'few'))?.transactions ?? []),
  ].find((one) => one.hash === hash)
  const found = useReplies(hash === null || seen !== undefined ? [] : transactionsByHash([hash]))
  const { data, error } = found
  const isLoading = seen === undefined && data === null && error === null
  return { at: isLoading ? undefined : ((seen ?? data?.[0]?.transactions[0])?.now ?? null), found }
}

/** Logical time of the newest transaction of an account among some; undefined for none. */
export function newestOf(raw: string, transactions: readonly Transaction[]): string | undefined {
  const times = transactions.flatMap(({ account, lt }) => (account === raw ? [BigInt(lt)] : []))
  return times.length === 0 ? undefined : String(times.reduce((most, lt) => (lt > most ? lt : most)))
}
