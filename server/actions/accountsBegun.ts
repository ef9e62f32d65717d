import type { TraceInput } from './input.ts'

/** Accounts that come to life in a trace. */
export const accountsBegun = ({ transactions }: Pick<TraceInput, 'transactions'>): ReadonlySet<string> =>
  new Set(
    transactions.flatMap(({ account, origStatus, endStatus }) =>
      origStatus !== 'active' && endStatus === 'active' ? [account] : [],
    ),
  )
