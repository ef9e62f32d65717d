// Transactions: backwards through an account, one in a block, all of a block.

import { type Cell, CellUsage, openCell, sameBytes } from '../../cell/index.ts'
import { inSlices } from '../../fairness/index.ts'
import {
  type AccountId,
  type BlockIdExt,
  type BlockTransactionsAnswer,
  type BlockTransactionsExtAnswer,
  type HistoryQuery,
  inListOrder,
  type ListedName,
  type ListedTransaction,
  type ListQuery,
  LiteError,
  MOST_LISTED,
  prefixOf,
  type TransactionAnswer,
  type TransactionsAnswer,
} from '../../node/index.ts'
import { accountBlocksOf, blockExtraOf, blockInfoOf, loadBlock } from '../../tlb/index.ts'
import { type BlockTransactionsPage, type FoundTransaction, transactionIn } from '../history/index.ts'
import type { JournalBlock } from '../journal/index.ts'
import { find } from './blocks.ts'
import type { ChainSource } from './chainSource.ts'
import { checkAccount, checkHash, unsignedLt } from './checkQuery.ts'
import { NO_PROOF, proveWhile, toAnyBoc, toBoc } from './proofs.ts'

const MOST_AT_ONCE = 16

/** Why the first transaction of a walk is missing, in the text that clients expect. */
async function notFound(source: ChainSource, { workchain, hash }: AccountId, lt: bigint): Promise<LiteError> {
  const facts = source.reader.byLt(workchain, lt)
  const after = { account: hash, lt: lt - 1n }
  const archived = facts === undefined ? null : await source.reader.listArchived(facts, { count: 1, after })
  const isListed = (page: BlockTransactionsPage<ListedName>) =>
    page.transactions.some((one) => one.lt === lt && sameBytes(one.account, hash))
  const isThere =
    archived !== null
      ? isListed(archived)
      : facts !== undefined && transactionIn(await source.blockRoot({ id: facts.id, facts }), hash, lt) !== null
  const text = isThere ? 'transaction hash mismatch' : 'cannot locate transaction in block with specified logical time'
  return new LiteError('badQuery', text)
}

/** That a block has this logical time. Throws LiteError `badQuery`. */
function checkTime(source: ChainSource, { workchain, hash }: AccountId, lt: bigint): void {
  try {
    find(source, { workchain, shard: prefixOf(hash), lt })
  } catch (cause) {
    if (!(cause instanceof LiteError)) throw cause
    throw new LiteError('badQuery', `cannot compute block with specified transaction: ${cause.message}`, { cause })
  }
}

/** Transactions of an account, backwards from a given one. Rejects with LiteError when that does not exist. */
export async function findHistory(
  source: ChainSource,
  { account, ...from }: HistoryQuery,
): Promise<readonly FoundTransaction[]> {
  checkAccount(account)
  checkHash(from.hash, 'a hash')
  const { workchain, hash: id } = account
  const lt = unsignedLt(from.lt)
  const count = Math.min(from.count, MOST_AT_ONCE)
  if (count <= 0 || lt === 0n) return []
  checkTime(source, account, lt)
  const found = await source.reader.transactions({ workchain, account: id, lt, hash: from.hash, count })
  if (found.length === 0) throw await notFound(source, account, lt)
  return found
}

export async function proveTransactions(source: ChainSource, query: HistoryQuery): Promise<TransactionsAnswer> {
  const found = await findHistory(source, query)
  if (found.length === 0) return { ids: [], transactions: NO_PROOF }
  return {
    ids: found.map(({ facts }) => facts.id),
    transactions: await toAnyBoc(source, await inSlices(found, ({ transaction }) => transaction, source.slicing)),
  }
}

const accountBlocksIn = (root: Cell) => accountBlocksOf(blockExtraOf(loadBlock(openCell(root))))

export async function oneTransaction(
  source: ChainSource,
  id: BlockIdExt,
  account: AccountId,
  lt: bigint,
): Promise<TransactionAnswer> {
  checkAccount(account)
  if (account.workchain !== id.workchain)
    throw new LiteError('badQuery', 'requested account id is not contained in the shard of the specified block')
  const root = await source.blockRoot(source.locate(id))
  const { proof, value } = proveWhile(root, () => {
    blockInfoOf(loadBlock(openCell(root)))
    return accountBlocksIn(root).get(account.hash)?.transactions.get(unsignedLt(lt)) ?? null
  })
  return { id, proof: toBoc(proof), transaction: value === null ? NO_PROOF : await toAnyBoc(source, value) }
}

interface List<T> {
  readonly id: BlockIdExt
  readonly requestedCount: number
  readonly incomplete: boolean
  readonly proof: Uint8Array
  readonly listed: readonly T[]
}

/** A page of a block's transactions from the archive; null when the block is not in it. */
type FromArchive<T> = (facts: JournalBlock, query: ListQuery) => Promise<BlockTransactionsPage<T> | null>

interface Listing<T> {
  readonly archived: FromArchive<T>
  readonly show: (one: ListedTransaction) => T
}

async function list<T>(
  source: ChainSource,
  id: BlockIdExt,
  query: ListQuery,
  { archived, show }: Listing<T>,
): Promise<List<T>> {
  if (query.after !== undefined) checkHash(query.after.account, 'an account id')
  const most = Math.min(query.count, MOST_LISTED)
  const located = source.locate(id)
  const page =
    query.wantProof === true || located.facts === null ? null : await archived(located.facts, { ...query, count: most })
  if (page !== null) {
    const { transactions: listed } = page
    return { id, requestedCount: query.count, incomplete: listed.length >= most, proof: NO_PROOF, listed }
  }
  const root = await source.blockRoot(located)
  const usage = new CellUsage()
  const walk = usage.run(() => inListOrder(accountBlocksIn(root), query))
  const listed: T[] = []
  let incomplete = true
  while (incomplete && listed.length < most) {
    const next = usage.run(() => walk.next())
    if (next.done === true) incomplete = false
    else listed.push(show(next.value))
  }
  const proof = query.wantProof === true ? toBoc({ root, usage }) : NO_PROOF
  return { id, requestedCount: query.count, incomplete, proof, listed }
}

const ALWAYS = 7
const PROOF = 32
const REVERSE = 64
const AFTER = 128

const modeOf = ({ wantProof, reverse, after }: ListQuery): number =>
  ALWAYS | (wantProof === true ? PROOF : 0) | (reverse === true ? REVERSE : 0) | (after === undefined ? 0 : AFTER)

export const listedName = ({ account, lt, cell }: ListedTransaction): ListedName => ({
  account,
  lt,
  hash: cell.hashBytes(),
})

export async function listTransactions(
  source: ChainSource,
  id: BlockIdExt,
  query: ListQuery,
): Promise<BlockTransactionsAnswer> {
  const archived: FromArchive<ListedName> = (facts, wanted) => source.reader.listArchived(facts, wanted)
  const { listed, ...answer } = await list(source, id, query, { archived, show: listedName })
  const mode = modeOf(query)
  const ids = listed.map(({ account, lt, hash }) => ({ mode, account, lt, hash, metadata: null }))
  return { ...answer, ids }
}

export async function listTransactionsExt(
  source: ChainSource,
  id: BlockIdExt,
  query: ListQuery,
): Promise<BlockTransactionsExtAnswer> {
  const archived: FromArchive<{ readonly cell: Cell }> = (facts, wanted) => source.reader.readArchived(facts, wanted)
  const { listed, ...answer } = await list(source, id, query, { archived, show: ({ cell }) => ({ cell }) })
  if (listed.length === 0) return { ...answer, transactions: NO_PROOF }
  const roots = await inSlices(listed, ({ cell }) => cell, source.slicing)
  return { ...answer, transactions: await toAnyBoc(source, roots) }
}
