// Transactions of accounts of a remote chain. One that is named by its hash never changes: a history that is polled takes a call of
// a lite server only where it has grown.

import { bytesText } from '../../cell/index.ts'
import { withFound } from '../aboutBlock.ts'
import type { ReadOptions } from '../chain.ts'
import { attemptOn, type HistoryQuery, type LiteServer } from '../liteServer.ts'
import {
  KeptHistory,
  LARGE_ANSWER,
  MOST_AT_ONCE,
  readAhead,
  type VerifiedTransaction,
  verifyTransactions,
} from '../verify/index.ts'
import { type BlockFinder, blockWith } from './blockFinder.ts'
import type { TrustedHead } from './trustOptions.ts'
import { VerifiedCache } from './verifiedCache.ts'

/** Of pages in memory: several hundred of ten usual transactions. */
const MOST_BYTES = 8 << 20
/** The cells take so many times the bytes of their bag. */
const TIMES = 5

interface Parts {
  readonly server: LiteServer
  readonly trust: TrustedHead
  readonly finder: Pick<BlockFinder, 'search'>
}

interface Page {
  /** As bytes, but for long pages: reading those again would take longer than a moment. */
  readonly kept: KeptHistory | readonly VerifiedTransaction[]
  /** In memory. */
  readonly bytes: number
  /** Whether it ends before it has what was wanted: another server may show more. */
  readonly isShort: boolean
}

/** With `exists`, a read queries more servers than without: it must not fail with one that has queried fewer. */
const keyOf = (
  branch: number,
  { account: { workchain, hash: id }, lt, hash, count }: HistoryQuery,
  { exists = false }: ReadOptions,
): string =>
  `${branch} ${exists} ${workchain} ${lt} ${count} ${hash.length} ${bytesText(hash, 'latin1')}${bytesText(id, 'latin1')}`

function pageOf(transactions: readonly VerifiedTransaction[], bag: Uint8Array, count: number): Page {
  const isShort = transactions.length < Math.min(count, MOST_AT_ONCE) && transactions.at(-1)?.transaction.prevLt !== 0n
  if (isShort || transactions.length === 0 || bag.length >= LARGE_ANSWER)
    return { kept: transactions, bytes: TIMES * bag.length, isShort }
  const kept = new KeptHistory(bag, transactions)
  return { kept, bytes: kept.bytes, isShort }
}

const readPage = ({ kept }: Page): readonly VerifiedTransaction[] => (kept instanceof KeptHistory ? kept.read() : kept)

export class RemoteTransactions {
  readonly #server: LiteServer
  readonly #trust: TrustedHead
  readonly #finder: Parts['finder']
  readonly #pages = new VerifiedCache<Page>(
    MOST_BYTES,
    ({ bytes }) => bytes,
    ({ isShort }) => !isShort,
  )

  constructor({ server, trust, finder }: Parts) {
    this.#server = server
    this.#trust = trust
    this.#finder = finder
  }

  /** Rejects with LiteError or ProofError. */
  async read(query: HistoryQuery, options: ReadOptions = {}): Promise<readonly VerifiedTransaction[]> {
    const branch = this.#trust.head?.branch
    const own: { found?: readonly VerifiedTransaction[] } = {}
    const fetch = async (): Promise<Page> => {
      const { transactions: bag, found } = await this.#fetch(query, options)
      own.found = found
      return pageOf(found, bag, query.count)
    }
    // What was read of a chain that was reverted since is not part of the new one.
    const page = await (branch === undefined ? fetch() : this.#pages.get(keyOf(branch, query, options), options, fetch))
    // What was just read need not be read again.
    return own.found ?? readPage(page)
  }

  #fetch(query: HistoryQuery, options: ReadOptions) {
    const work = async (server: LiteServer) => {
      const answer = await readAhead(await server.transactions(query, options), options)
      return { transactions: answer.transactions, found: verifyTransactions(query.account, query, answer) }
    }
    const read = withFound(options, { lt: query.lt })
    if (options.exists === true) return attemptOn(this.#server, work, read)
    return this.#finder.search(blockWith(query), read, (one) => attemptOn(this.#server, work, one))
  }
}
