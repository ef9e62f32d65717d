// Transactions of an account with the block of each, whole or taken apart.

import { type ParsedAddress, parseAddress } from '../../../shared/address.ts'
import { ApiError } from '../../../shared/errors.ts'
import { type Cell, isLargeTree, MAX_DEPTH, readingBoc, writeBocText, writingBoc } from '../../cell/index.ts'
import { inPieces, inSlices, SlicedWork, type Slicing } from '../../fairness/index.ts'
import { prefixOf } from '../../node/index.ts'
import { type AskV2, toBlockOfV4 } from './askV2.ts'
import { parsedTransaction } from './parsedTransaction.ts'

/** What the client reads at once. */
const PAGE = 20
const MOST_PARSED = 100
const LOOKUPS_AT_ONCE = 8
const DEEPEST = { maxDepth: MAX_DEPTH }

/** Of the transaction a page starts at. */
export interface HistoryStart {
  readonly address: string
  readonly lt: string
  readonly hash: string
}

interface Page {
  readonly account: ParsedAddress
  readonly blocks: readonly ReturnType<typeof toBlockOfV4>[]
  readonly cells: readonly Cell[]
}

async function pageOf(from: HistoryStart, limit: number, ask: AskV2, slicing: Slicing): Promise<Page> {
  const { transactions } = await ask('getTransactionsStd', { ...from, limit })
  const account = parseAddress(from.address)
  if (account === null) throw new ApiError('invalidParams', 'the address cannot be read', { param: 'address' })
  const { workchain, hash } = account
  const shard = String(BigInt.asIntN(64, prefixOf(hash) | 1n))
  const blocks: ReturnType<typeof toBlockOfV4>[] = []
  for (let at = 0; at < transactions.length; at += LOOKUPS_AT_ONCE) {
    const next = transactions.slice(at, at + LOOKUPS_AT_ONCE)
    const found = next.map(({ transaction_id: { lt } }) => ask('lookupBlock', { workchain, shard, lt }))
    blocks.push(...(await Promise.all(found)).map(toBlockOfV4))
  }
  const cells: Cell[] = []
  const slices = new SlicedWork(slicing)
  for (const { data } of transactions) {
    if (slices.isDue) await slices.rest()
    cells.push(await inPieces(readingBoc(Buffer.from(data, 'base64'), DEEPEST), slicing))
  }
  return { account, blocks, cells }
}

/** A page of 20 transactions, newest first: one bag of cells with a root for each. */
export async function wholeTransactions(from: HistoryStart, ask: AskV2, slicing: Slicing) {
  const { blocks, cells } = await pageOf(from, PAGE, ask, slicing)
  if (cells.length === 0) return { blocks, boc: '' }
  const isLarge = isLargeTree(...cells)
  return {
    blocks,
    boc: isLarge ? (await inPieces(writingBoc(cells), slicing)).toString('base64') : writeBocText(cells),
  }
}

/** The same with the fields of each transaction; `count` as in the query. */
export async function parsedTransactions(from: HistoryStart, count: string | null, ask: AskV2, slicing: Slicing) {
  const limit = count === null ? PAGE : /^\d{1,3}$/.test(count) ? Number(count) : 0
  if (limit < 1 || limit > MOST_PARSED)
    throw new ApiError('invalidParams', `"count" must be a number from 1 to ${MOST_PARSED}`, { param: 'count' })
  const { account, blocks, cells } = await pageOf(from, limit, ask, slicing)
  return { blocks, transactions: await inSlices(cells, (cell) => parsedTransaction(cell, account), slicing) }
}
