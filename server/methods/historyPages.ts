// Walks backwards through the transactions of an account, as many at once as a chain returns.

import type { AccountId, Chain, VerifiedTransaction } from '../node/index.ts'

export interface HistoryPoint {
  readonly lt: bigint
  readonly hash: Uint8Array
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
