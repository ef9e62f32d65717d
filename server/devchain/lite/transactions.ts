// Transactions: backwards through an account, one in a block, all of a block.

import { type Cell, makeProof, openCell, Usage } from '../../cell/index.ts'
import {
  type AccountId,
  type BlockIdExt,
  type BlockTransactionsAnswer,
  type BlockTransactionsExtAnswer,
  inListOrder,
  type ListedTransaction,
  type ListQuery,
  LiteError,
  MOST_LISTED,
  prefixOf,
  type TransactionAnswer,
  type TransactionsAnswer,
} from '../../node/index.ts'
import { accountBlocksOf, blockExtraOf, blockInfoOf, loadBlock } from '../../tlb/index.ts'
import { type FoundTransaction, transactionIn } from '../history/index.ts'
import { find } from './blocks.ts'
import type { ChainSource } from './chainSource.ts'
import { checkAccount, checkHash, unsignedLt } from './checkQuery.ts'
import { EMPTY, proveWhile, toBoc } from './proofs.ts'

const MOST_AT_ONCE = 16

/** Why the first transaction of a walk is not there, in the words clients know. */
async function notFound(source: ChainSource, { workchain, hash }: AccountId, lt: bigint): Promise<LiteError> {
  const facts = source.reader.byLt(workchain, lt)
  const isThere = facts !== undefined && transactionIn((await source.block({ id: facts.id, facts })).root, hash, lt)
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

interface HistoryStart {
  readonly lt: bigint
  readonly hash: Uint8Array
  readonly count: number
}

/** Transactions of an account backwards from one. Rejects with LiteError where there is none such. */
export async function findHistory(
  source: ChainSource,
  account: AccountId,
  from: HistoryStart,
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

export async function transactions(
  source: ChainSource,
  account: AccountId,
  from: HistoryStart,
): Promise<TransactionsAnswer> {
  const found = await findHistory(source, account, from)
  if (found.length === 0) return { ids: [], transactions: EMPTY }
  return {
    ids: found.map(({ block }) => block.facts.id),
    transactions: toBoc(found.map(({ transaction }) => transaction)),
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
  const { root } = await source.block(source.locate(id))
  const { proof, value } = proveWhile(root, () => {
    blockInfoOf(loadBlock(openCell(root)))
    return accountBlocksIn(root).get(account.hash)?.transactions.get(unsignedLt(lt)) ?? null
  })
  return { id, proof: toBoc(proof), transaction: value === null ? EMPTY : toBoc(value) }
}

interface List {
  readonly id: BlockIdExt
  readonly requestedCount: number
  readonly incomplete: boolean
  readonly proof: Uint8Array
  readonly listed: readonly ListedTransaction[]
}

async function list(source: ChainSource, id: BlockIdExt, query: ListQuery): Promise<List> {
  if (query.after !== undefined) checkHash(query.after.account, 'an account id')
  const { root } = await source.block(source.locate(id))
  const most = Math.min(query.count, MOST_LISTED)
  const usage = new Usage()
  const walk = usage.run(() => inListOrder(accountBlocksIn(root), query))
  const listed: ListedTransaction[] = []
  let incomplete = true
  while (incomplete && listed.length < most) {
    const next = usage.run(() => walk.next())
    if (next.done === true) incomplete = false
    else listed.push(next.value)
  }
  const proof = query.wantProof === true ? toBoc(makeProof(root, usage)) : EMPTY
  return { id, requestedCount: query.count, incomplete, proof, listed }
}

const ALWAYS = 7
const PROOF = 32
const REVERSE = 64
const AFTER = 128

const modeOf = ({ wantProof, reverse, after }: ListQuery): number =>
  ALWAYS | (wantProof === true ? PROOF : 0) | (reverse === true ? REVERSE : 0) | (after === undefined ? 0 : AFTER)

export async function listTransactions(
  source: ChainSource,
  id: BlockIdExt,
  query: ListQuery,
): Promise<BlockTransactionsAnswer> {
  const { listed, ...answer } = await list(source, id, query)
  const mode = modeOf(query)
  const ids = listed.map(({ account, lt, cell }) => ({ mode, account, lt, hash: cell.hashBytes(), metadata: null }))
  return { ...answer, ids }
}

export async function listTransactionsExt(
  source: ChainSource,
  id: BlockIdExt,
  query: ListQuery,
): Promise<BlockTransactionsExtAnswer> {
  const { listed, ...answer } = await list(source, id, query)
  return { ...answer, transactions: listed.length === 0 ? EMPTY : toBoc(listed.map(({ cell }) => cell)) }
}
