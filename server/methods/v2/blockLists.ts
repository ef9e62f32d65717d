// Lists of the transactions of a block.

import { toRaw } from '../../../shared/address.ts'
import { toDigits } from '../../../shared/primitives.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { transactionsV2 } from '../../../shared/v2/transactions.ts'
import { base64Of, isLargeTree } from '../../cell/index.ts'
import type { SlicedWork } from '../../fairness/index.ts'
import type { BlockIdExt, Chain, ListedName, VerifiedTransaction } from '../../node/index.ts'
import type { WritingHandlers } from '../call.ts'
import { toBlockId } from '../view/block.ts'
import { longTransaction, toBlockTransaction } from '../view/transaction.ts'
import { write, writeObject } from '../written.ts'
import { pairOf, piecesOf, writeEach, writtenInPieces } from './transactionPieces.ts'

type InBlock = Params<typeof transactionsV2.getBlockTransactions>

/** Which parts of an id are present (account, lt, hash), and that the list can be continued from it. */
const SHORT_ID_MODE = 135

async function blockOf(chain: Chain, params: InBlock, signal: AbortSignal): Promise<BlockIdExt> {
  const { workchain, seqno, root_hash: rootHash, file_hash: fileHash } = params
  const shard = BigInt.asUintN(64, params.shard)
  if (rootHash && fileHash) return { workchain, shard, seqno, rootHash, fileHash }
  return await chain.idOf({ workchain, shard, seqno }, { signal })
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

const shownIn = (workchain: number) => ({
  isLong: ({ cell }: VerifiedTransaction) => isLargeTree(cell),
  writing: (one: VerifiedTransaction) => longTransaction.writingOfBlock(workchain, one),
  write: (one: VerifiedTransaction) => write(toBlockTransaction(workchain, one)),
})

export function blockListHandlers(
  chain: Chain,
): Pick<WritingHandlers<typeof transactionsV2>, 'getBlockTransactions' | 'getBlockTransactionsExt'> {
  return {
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
        hash: base64Of(hash),
      })
      return writeObject<Result<typeof transactionsV2.getBlockTransactions>>({
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
      return writeObject<Result<typeof transactionsV2.getBlockTransactionsExt>>({
        '@type': 'blocks.transactionsExt',
        id: toBlockId(id),
        req_count: params.count,
        incomplete,
        transactions: await writtenInPieces(all, shownIn(id.workchain), pieces),
      })
    },
  }
}
