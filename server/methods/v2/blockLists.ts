// Lists of the transactions of a block.

import { toRaw } from '../../../shared/address.ts'
import { toDigits } from '../../../shared/primitives.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { transactionsV2 } from '../../../shared/v2/transactions.ts'
import { base64Of, isLargeTree } from '../../cell/index.ts'
import { inSlices, type SlicedWork } from '../../fairness/index.ts'
import type { BlockIdExt, Chain, ListedName, VerifiedTransaction } from '../../node/index.ts'
import type { WritingHandlers } from '../call.ts'
import { toBlockId } from '../view/ids.ts'
import { longTransaction, toBlockTransaction } from '../view/transaction.ts'
import { type Written, write, writeList, writeObject } from '../written.ts'
import { AnswerRoom, pairOf, piecesOf, textsInPieces } from './transactionPieces.ts'

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

interface Paging<T, W> {
  readonly placeOf: (one: T) => { readonly account: Uint8Array; readonly lt: bigint }
  /** Writes one page, before the next one is read. */
  readonly written: (page: readonly T[]) => Promise<readonly Written<W>[]>
  readonly slices: SlicedWork
}

/** Up to `count` transactions of a block as texts, page by page of a lite server. */
async function listed<T, W>(
  { count, after_lt, after_hash }: InBlock,
  page: (query: ListPage) => Promise<Listing<T>>,
  { placeOf, written, slices }: Paging<T, W>,
): Promise<Listing<Written<W>>> {
  const start = pairOf(after_lt, after_hash, 'after_lt and after_hash')
  const all: Written<W>[] = []
  let after = start === null ? undefined : { account: start.hash, lt: start.lt }
  for (;;) {
    const query = { count: Math.min(AT_ONCE, count - all.length) }
    const { transactions: more, incomplete } = await page(after === undefined ? query : { after, ...query })
    all.push(...(await written(more)))
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
      const show = ({ account, lt, hash }: ListedName) =>
        write({
          '@type': 'blocks.shortTxId' as const,
          mode: SHORT_ID_MODE,
          account: toRaw({ workchain: id.workchain, hash: account }),
          lt: toDigits(lt),
          hash: base64Of(hash),
        })
      const { slices } = pieces
      const { transactions: texts, incomplete } = await listed(
        params,
        (query) => chain.listTransactions(id, query, { signal }),
        { placeOf: (one) => one, written: (page) => inSlices(page, show, slices), slices },
      )
      return writeObject<Result<typeof transactionsV2.getBlockTransactions>>({
        '@type': 'blocks.transactions',
        id: toBlockId(id),
        req_count: params.count,
        incomplete,
        transactions: await writeList(texts, slices),
      })
    },

    async getBlockTransactionsExt(params, call) {
      const pieces = piecesOf(call)
      const { signal } = pieces
      const id = await blockOf(chain, params, signal)
      const room = new AnswerRoom('count')
      const { transactions: texts, incomplete } = await listed(
        params,
        (query) => chain.blockTransactions(id, query, { signal }),
        {
          placeOf: ({ transaction }) => transaction,
          written: (page) => textsInPieces(page, shownIn(id.workchain), pieces, room),
          slices: pieces.slices,
        },
      )
      return writeObject<Result<typeof transactionsV2.getBlockTransactionsExt>>({
        '@type': 'blocks.transactionsExt',
        id: toBlockId(id),
        req_count: params.count,
        incomplete,
        transactions: await writeList(texts, pieces.slices),
      })
    },
  }
}
