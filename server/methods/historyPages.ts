// Walks backwards through the transactions of an account, as many at once as a chain returns.

import { type AccountId, type AccountReader, type Chain, readAccount, type VerifiedTransaction } from '../node/index.ts'

export interface HistoryPoint {
  readonly lt: bigint
  readonly hash: Uint8Array
}

/** Where a walk from the newest transaction of an account begins. */
export interface NewestPoint extends HistoryPoint {
  /** Throws NotHere when the chain of this process is no longer the one it was found in; absent where it is always. */
  readonly confirm?: () => void
}

/** Null, or an `lt` of 0, where an account has no transactions. */
export type NewestOf = (account: AccountId, signal: AbortSignal) => Promise<NewestPoint | null>

export function newestIn(chain: AccountReader): NewestOf {
  return async (account, signal) => {
    const { shardAccount } = await readAccount(chain, account, undefined, signal)
    return shardAccount && { lt: shardAccount.lastTransLt, hash: shardAccount.lastTransHash }
  }
}

const AT_ONCE = 16

/** Pages from a transaction on, newest first, until the first one of the account. `isProven`: the chain has named that transaction. */
export async function* pagesFrom(
  chain: Pick<Chain, 'transactions'>,
  account: AccountId,
  from: HistoryPoint,
  limit: number,
  { signal, isProven = false }: { readonly signal: AbortSignal; readonly isProven?: boolean },
): AsyncGenerator<readonly VerifiedTransaction[]> {
  let point = from
  for (let left = limit; left > 0 && point.lt > 0n; ) {
    const query = { account, count: Math.min(left, AT_ONCE), ...point }
    const page = await chain.transactions(query, { signal, exists: isProven || point !== from })
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    left -= page.length
    // Transactions are parsed when they are looked into: the last one of a walk need not be.
    if (left > 0) point = { lt: last.transaction.prevLt, hash: last.transaction.prevHash }
  }
}
