import { toRaw } from '../../../shared/address.ts'
import { ApiError } from '../../../shared/errors.ts'
import { toDigits } from '../../../shared/primitives.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { transactions } from '../../../shared/v2/transactions.ts'
import { inSlices, SlicedWork } from '../../fairness/index.ts'
import {
  type BlockIdExt,
  type Chain,
  type ListedName,
  LiteError,
  ProofError,
  readAccount,
  type VerifiedTransaction,
} from '../../node/index.ts'
import type { Call, WritingHandlers } from '../call.ts'
import { type HistoryPoint, pagesFrom } from '../historyPages.ts'
import { locateResult, locateSource, type MessageMark } from '../locate.ts'
import { quickBase64 } from '../view/base64.ts'
import { toBlockId } from '../view/block.ts'
import { toBlockTransaction, toTransactionStd, writeTransaction } from '../view/transaction.ts'
import { toTransactionId } from '../view/transactionId.ts'
import { type Written, write, writeList, writeObject } from '../written.ts'

type History = Params<typeof transactions.getTransactions>
type InBlock = Params<typeof transactions.getBlockTransactions>
type Located = Params<typeof transactions.tryLocateTx>

interface Walk {
  readonly found: readonly VerifiedTransaction[]
  /** The last one read; null when there is none. */
  readonly last: VerifiedTransaction | null
}

/** Half of a pair of parameters is an error. */
function pairOf(a: bigint | undefined, b: Uint8Array | undefined, names: string): HistoryPoint | null {
  if ((a === undefined) !== (b === undefined))
    throw new ApiError('invalidParams', `${names} should be used together`, { param: names.split(' ')[0] ?? '' })
  return a === undefined || b === undefined ? null : { lt: a, hash: b }
}

/** A running call whose work is cut into slices. */
interface Pieces {
  readonly signal: AbortSignal
  readonly slices: SlicedWork
}

const piecesOf = ({ signal, caller }: Call): Pieces => ({ signal, slices: new SlicedWork({ subject: caller.subject }) })

/** The text of what a view shows of each item, written in slices. */
async function writeEach<T, R>(items: readonly T[], view: (item: T) => R, { slices }: Pieces): Promise<Written<R[]>> {
  return await writeList(await inSlices(items, (item) => write(view(item)), slices), slices)
}

async function walk(
  chain: Chain,
  { address, limit, to_lt: toLt = 0n }: History,
  start: HistoryPoint | null,
  { signal, slices }: Pieces,
): Promise<Walk> {
  let from = start
  if (from === null) {
    const { shardAccount } = await readAccount(chain, address, undefined, signal)
    if (shardAccount === null) return { found: [], last: null }
    from = { lt: shardAccount.lastTransLt, hash: shardAccount.lastTransHash }
  }
  const read: VerifiedTransaction[] = []
  try {
    for await (const page of pagesFrom(chain, address, from, limit, signal)) {
      read.push(...page)
      if (slices.isDue) await slices.rest()
      if (toLt > 0n && (page.at(-1)?.transaction.lt ?? 0n) <= toLt) break
    }
  } catch (error) {
    // Not all nodes keep all history: the result is what there is, but not after a timeout or an abort.
    const isRefusal = error instanceof ProofError || (error instanceof LiteError && error.kind !== 'timeout')
    const cutOff = isRefusal && !signal.aborted
    if (read.length === 0 || !cutOff) throw error
  }
  const found = toLt > 0n ? read.filter(({ transaction }) => transaction.lt > toLt) : read
  return { found, last: read.at(-1) ?? null }
}

/** The transaction before the last one of a walk; null before the first. */
function nextOf({ last }: Walk): HistoryPoint | null {
  if (last === null) return null
  const { prevLt, prevHash } = last.transaction
  return prevLt > 0n ? { lt: prevLt, hash: prevHash } : null
}

async function blockOf(chain: Chain, params: InBlock, signal: AbortSignal): Promise<BlockIdExt> {
  const { workchain, seqno, root_hash: rootHash, file_hash: fileHash } = params
  const shard = BigInt.asUintN(64, params.shard)
  if (rootHash && fileHash) return { workchain, shard, seqno, rootHash, fileHash }
  return (await chain.find({ workchain, shard, seqno }, { signal })).id
}

const AT_ONCE = 256

interface Listing<T> {
  readonly transactions: readonly T[]
  readonly incomplete: boolean
}

interface ListPage {
  readonly count: number
  readonly after?: { readonly account: Uint8Array; readonly lt: bigint }
}

interface Paging<T> {
  readonly placeOf: (one: T) => { readonly account: Uint8Array; readonly lt: bigint }
  readonly slices: SlicedWork
}

/** Up to `count` transactions of a block, page by page of a lite server. */
async function listed<T>(
  { count, after_lt, after_hash }: InBlock,
  page: (query: ListPage) => Promise<Listing<T>>,
  { placeOf, slices }: Paging<T>,
): Promise<Listing<T>> {
  const start = pairOf(after_lt, after_hash, 'after_lt and after_hash')
  const all: T[] = []
  let after = start === null ? undefined : { account: start.hash, lt: start.lt }
  for (;;) {
    const query = { count: Math.min(AT_ONCE, count - all.length) }
    const { transactions: more, incomplete } = await page(after === undefined ? query : { after, ...query })
    all.push(...more)
    if (slices.isDue) await slices.rest()
    const last = more.at(-1)
    if (!incomplete || last === undefined || all.length >= count) return { transactions: all, incomplete }
    after = placeOf(last)
  }
}

const found = (one: VerifiedTransaction | null): VerifiedTransaction => {
  if (one === null) throw new ApiError('notFound', 'transaction was not found')
  return one
}

const markOf = ({ source, destination, created_lt: createdLt }: Located): MessageMark => ({
  source,
  destination,
  createdLt,
})

export function transactionHandlers(chain: Chain): WritingHandlers<typeof transactions> {
  const locateTx = async (params: Located, signal: AbortSignal) =>
    writeTransaction(params.destination.workchain, found(await locateResult(chain, markOf(params), signal)))

  return {
    async getTransactions(params, call) {
      const { lt, hash, address } = params
      const start = pairOf(lt === 0n ? undefined : lt, hash, 'lt and hash')
      const pieces = piecesOf(call)
      const { found: all } = await walk(chain, params, start, pieces)
      const texts = await inSlices(all, (one) => writeTransaction(address.workchain, one), pieces.slices)
      return await writeList(texts, pieces.slices)
    },

    async getTransactionsStd(params, call) {
      const { lt, hash, address } = params
      const pieces = piecesOf(call)
      const walked = await walk(chain, params, pairOf(lt, hash, 'lt and hash'), pieces)
      const next = nextOf(walked)
      return writeObject<Result<typeof transactions.getTransactionsStd>>({
        '@type': 'raw.transactions',
        transactions: await writeEach(walked.found, (one) => toTransactionStd(address.workchain, one), pieces),
        previous_transaction_id: toTransactionId(next?.lt, next?.hash),
      })
    },

    async getBlockTransactions(params, call) {
      const pieces = piecesOf(call)
      const { signal } = pieces
      const id = await blockOf(chain, params, signal)
      const { transactions: names, incomplete } = await listed(
        params,
        (query) => chain.listTransactions(id, query, { signal }),
        { placeOf: (one) => one, ...pieces },
      )
      const show = ({ account, lt, hash }: ListedName) => ({
        '@type': 'blocks.shortTxId' as const,
        mode: SHORT_ID_MODE,
        account: toRaw({ workchain: id.workchain, hash: account }),
        lt: toDigits(lt),
        hash: quickBase64(hash),
      })
      return writeObject<Result<typeof transactions.getBlockTransactions>>({
        '@type': 'blocks.transactions',
        id: toBlockId(id),
        req_count: params.count,
        incomplete,
        transactions: await writeEach(names, show, pieces),
      })
    },

    async getBlockTransactionsExt(params, call) {
      const pieces = piecesOf(call)
      const { signal } = pieces
      const id = await blockOf(chain, params, signal)
      const { transactions: all, incomplete } = await listed(
        params,
        (query) => chain.blockTransactions(id, query, { signal }),
        { placeOf: ({ transaction }) => transaction, ...pieces },
      )
      return writeObject<Result<typeof transactions.getBlockTransactionsExt>>({
        '@type': 'blocks.transactionsExt',
        id: toBlockId(id),
        req_count: params.count,
        incomplete,
        transactions: await writeEach(all, (one) => toBlockTransaction(id.workchain, one), pieces),
      })
    },

    tryLocateTx: (params, { signal }) => locateTx(params, signal),
    tryLocateResultTx: (params, { signal }) => locateTx(params, signal),

    async tryLocateSourceTx(params, { signal }) {
      return writeTransaction(params.source.workchain, found(await locateSource(chain, markOf(params), signal)))
    },
  }
}

/** Which parts of an id are present (account, lt, hash), and that the list can be continued from it. */
const SHORT_ID_MODE = 135
