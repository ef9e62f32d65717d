import { ApiError } from '../../../shared/errors.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { transactionsV2 } from '../../../shared/v2/transactions.ts'
import { isLargeTree } from '../../cell/index.ts'
import { inPieces } from '../../fairness/index.ts'
import { type Chain, ChainReverted, LiteError, ProofError, type VerifiedTransaction } from '../../node/index.ts'
import type { Call, WritingHandlers } from '../call.ts'
import { type HistoryPoint, type NewestOf, type NewestPoint, newestIn, pagesFrom } from '../historyPages.ts'
import { locateResult, locateSource, type MessageMark } from '../locate.ts'
import { toTransactionId } from '../view/ids.ts'
import { longTransaction, toTransactionStd, writeTransaction } from '../view/transaction.ts'
import { Written, write, writeList, writeObject } from '../written.ts'
import { blockListHandlers } from './blockLists.ts'
import { AnswerRoom, type Pieces, pairOf, piecesOf, type TextsOf, textsInPieces } from './transactionPieces.ts'

type History = Params<typeof transactionsV2.getTransactions>
type Shown = Result<typeof transactionsV2.tryLocateTx>
type Located = Params<typeof transactionsV2.tryLocateTx>

interface Walked {
  readonly chain: Chain
  readonly newest: NewestOf
}

interface Walk<R> {
  readonly texts: readonly Written<R>[]
  /** The last one read; null when there is none. */
  readonly last: VerifiedTransaction | null
}

/** Whether nodes work and no longer have older transactions, by the answers of all that were queried. */
function isGone(error: unknown): boolean {
  if (error instanceof ProofError) return error.code === 'missing'
  return error instanceof LiteError && error.isMissing && !(error instanceof ChainReverted)
}

/** Each page is written before the next one is read: a history of large transactions ends where it has no more room. */
async function walk<R>(
  { chain, newest }: Walked,
  { address, limit, to_lt: toLt = 0n }: History,
  start: HistoryPoint | null,
  of: TextsOf<VerifiedTransaction, R>,
  pieces: Pieces,
): Promise<Walk<R>> {
  const { signal } = pieces
  const from: NewestPoint | null = start ?? (await newest(address, signal))
  if (from === null) return { texts: [], last: null }
  const texts: Written<R>[] = []
  const room = new AnswerRoom('limit')
  let last: VerifiedTransaction | null = null
  try {
    for await (const page of pagesFrom(chain, address, from, limit, { signal, isProven: start === null })) {
      last = page.at(-1) ?? last
      const found = toLt > 0n ? page.filter(({ transaction }) => transaction.lt > toLt) : page
      texts.push(...(await textsInPieces(found, of, pieces, room)))
      if (toLt > 0n && found.length < page.length) break
    }
  } catch (error) {
    from.confirm?.()
    // Not all nodes keep all history: the result is what there is. One that fails, or lies, does not end it.
    if (last === null || !isGone(error) || signal.aborted) throw error
  }
  from.confirm?.()
  return { texts, last }
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

type Handlers = WritingHandlers<typeof transactionsV2>

const stdIn = (workchain: number) => ({
  isLong: ({ cell }: VerifiedTransaction) => isLargeTree(cell),
  writing: (one: VerifiedTransaction) => longTransaction.writingStd(workchain, one),
  write: (one: VerifiedTransaction) => write(toTransactionStd(workchain, one)),
})

function historyHandlers(walked: Walked): Pick<Handlers, 'getTransactions' | 'getTransactionsStd'> {
  return {
    async getTransactions(params, call) {
      const { lt, hash, address } = params
      const start = pairOf(lt === 0n ? undefined : lt, hash, 'lt and hash')
      const pieces = piecesOf(call)
      const { workchain } = address
      const write = (one: VerifiedTransaction) => writeTransaction(workchain, one)
      const writing = (one: VerifiedTransaction) => longTransaction.writing(workchain, one)
      const { texts } = await walk(walked, params, start, { isLong: longTransaction.isIn, writing, write }, pieces)
      return await writeList(texts, pieces.slices)
    },

    async getTransactionsStd(params, call) {
      const { lt, hash, address } = params
      const pieces = piecesOf(call)
      const start = pairOf(lt, hash, 'lt and hash')
      const all = await walk(walked, params, start, stdIn(address.workchain), pieces)
      const last = all.last?.transaction
      return writeObject<Result<typeof transactionsV2.getTransactionsStd>>({
        '@type': 'raw.transactions',
        transactions: await writeList(all.texts, pieces.slices),
        previous_transaction_id: toTransactionId(last?.prevLt, last?.prevHash),
      })
    },
  }
}

function locateHandlers(chain: Chain): Pick<Handlers, 'tryLocateTx' | 'tryLocateResultTx' | 'tryLocateSourceTx'> {
  async function written(workchain: number, one: VerifiedTransaction, call: Call) {
    if (!longTransaction.isIn(one)) return writeTransaction(workchain, one)
    return new Written<Shown>(await inPieces(longTransaction.writing(workchain, one), call))
  }
  const locateTx = async (params: Located, call: Call) =>
    written(params.destination.workchain, found(await locateResult(chain, markOf(params), call.signal)), call)
  return {
    tryLocateTx: locateTx,
    tryLocateResultTx: locateTx,

    async tryLocateSourceTx(params, call) {
      const one = found(await locateSource(chain, markOf(params), call.signal))
      return await written(params.source.workchain, one, call)
    },
  }
}

/** `newest` finds where the history of an account begins. */
export const transactionHandlers = (chain: Chain, newest: NewestOf = newestIn(chain)): Handlers => ({
  ...historyHandlers({ chain, newest }),
  ...blockListHandlers(chain),
  ...locateHandlers(chain),
})
