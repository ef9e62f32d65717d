// Searches the newest transactions of an account for a message that was sent to it.

import { hashToBytes, MAX_DEPTH, openCell, readBoc } from '../../cell/index.ts'
import { loadMessage, normalizedHash } from '../../tlb/index.ts'
import type { AccountId } from '../blockId.ts'
import type { Chain } from '../chain.ts'
import type { LiteOptions } from '../liteServer.ts'

/** A message that is searched for. */
export interface Searched {
  readonly account: AccountId
  /** Its normalized hash. */
  readonly name: string
  /** Unix seconds by the chain, whose transactions it is compared with: this machine's clock may be wrong. */
  readonly since: Promise<number>
  /** Transactions up to this lt have been searched. */
  seenLt: bigint
}

const PAGE = 16
/** Pages of one account's transactions per search. */
const MOST_PAGES = 16

const nameOf = (hash: Uint8Array): string => Buffer.from(hash).toString('base64')

/** Null for bytes that are no message to an account. */
export function addressOfSent(message: Uint8Array): Pick<Searched, 'name' | 'account'> | null {
  try {
    const parsed = loadMessage(openCell(readBoc(message, { maxDepth: MAX_DEPTH })))
    if (parsed.info.kind !== 'externalIn' || parsed.info.dest.kind !== 'std') return null
    const { workchain, hash } = parsed.info.dest
    return { name: nameOf(hashToBytes(normalizedHash(parsed))), account: { workchain, hash } }
  } catch {
    return null
  }
}

function isOf({ name }: Searched, message: Parameters<typeof openCell>[0] | null): boolean {
  if (message === null) return false
  const parsed = loadMessage(openCell(message))
  return parsed.info.kind === 'externalIn' && nameOf(hashToBytes(normalizedHash(parsed))) === name
}

/** `unknown`: the account has too many transactions to search them. */
export type SearchResult = 'found' | 'absent' | 'unknown'

export async function searchSent(
  chain: Pick<Chain, 'head' | 'account' | 'transactions'>,
  sent: Searched,
  options: LiteOptions,
): Promise<SearchResult> {
  const { account } = sent
  const { id } = await chain.head(options)
  const { shardAccount } = await chain.account(id, account, options)
  if (shardAccount === null) return 'absent'
  const since = await sent.since
  let at = { lt: shardAccount.lastTransLt, hash: shardAccount.lastTransHash }
  for (let page = 0; at.lt > sent.seenLt; page++) {
    if (page === MOST_PAGES) return 'unknown'
    const found = await chain.transactions({ account, ...at, count: PAGE }, options)
    let isEnd = found.length === 0
    for (const { transaction } of found) {
      isEnd = transaction.lt <= sent.seenLt || transaction.now < since
      if (isEnd) break
      if (isOf(sent, transaction.inMessage)) return 'found'
      at = { lt: transaction.prevLt, hash: transaction.prevHash }
    }
    if (isEnd) break
  }
  sent.seenLt = shardAccount.lastTransLt
  return 'absent'
}
