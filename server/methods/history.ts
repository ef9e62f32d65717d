// Walks backwards through the transactions of an account, as many at once as a lite server gives.

import { type AccountId, type LiteServer, type VerifiedTransaction, verifyTransactions } from '../node/index.ts'
import { believed, upstream } from './errors.ts'

export interface Point {
  readonly lt: bigint
  readonly hash: Uint8Array
}

const AT_ONCE = 16

/** Pages from a transaction on, newest first, until the first one of the account. Throws ApiError `upstream`. */
export async function* pagesFrom(
  node: Pick<LiteServer, 'transactions'>,
  account: AccountId,
  from: Point,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<readonly VerifiedTransaction[]> {
  let point = from
  for (let left = limit; left > 0 && point.lt > 0n; ) {
    const count = Math.min(left, AT_ONCE)
    const answer = await upstream(node.transactions(account, point.lt, point.hash, count, { signal }))
    const page = believed(() => verifyTransactions(account, { count, ...point }, answer))
    const last = page.at(-1)?.transaction
    if (!last) return
    yield page
    left -= page.length
    point = { lt: last.prevLt, hash: last.prevHash }
  }
}
