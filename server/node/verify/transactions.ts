// Transactions, proven by the hash in their successor, or by their place in a block.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, type Cell, hashFromBytes, openCell, sameBytes } from '../../cell/index.ts'
import {
  accountBlocksOf,
  blockExtraOf,
  loadTransaction,
  loadTransactionHead,
  type Transaction,
  type TransactionHead,
} from '../../tlb/index.ts'
import { type AccountId, type BlockIdExt, isInShard } from '../blockId.ts'
import type {
  BlockTransactionsAnswer,
  BlockTransactionsExtAnswer,
  TransactionAnswer,
  TransactionsAnswer,
} from '../liteAnswers.ts'
import type { ListQuery } from '../liteServer.ts'
import { inListOrder, type ListedTransaction, MOST_LISTED } from '../transactionOrder.ts'
import { provenBlock, provenBody } from './header.ts'
import { demand } from './proofError.ts'
import { demandSameBlock, fewRootsOf, refusing, wholeTree } from './readProof.ts'

export interface VerifiedTransaction {
  readonly cell: Cell
  /** Parsed at each access where it is not kept. */
  readonly transaction: Transaction
  /** The cell as a bag with a checksum, in base64, where the source has it in this form. */
  readonly bag?: string
  /** Its finished text, or the bytes of that, where the source keeps one. */
  readonly text?: string | readonly Buffer[] | null
}

/** Of one answer. */
export const MOST_AT_ONCE = 16

/**
 * One of a page, which may be cached: with what was parsed to check it, a page takes three times the memory, and collecting that took a
 * sixth of the processor time of a call. Few are parsed again, since their texts are cached too.
 */
export class HistoryTransaction implements VerifiedTransaction {
  readonly cell: Cell

  constructor(cell: Cell) {
    this.cell = cell
  }

  get transaction(): Transaction {
    return loadTransaction(openCell(this.cell))
  }
}

function demandHead(head: TransactionHead, account: Uint8Array, lt: bigint): void {
  demand(sameBytes(head.account, account), 'transaction', 'a transaction of another account')
  demand(head.lt === lt, 'transaction', `a transaction with lt ${head.lt} where ${lt} was expected`)
}

function checkedTransaction(cell: Cell, account: Uint8Array, lt: bigint): VerifiedTransaction {
  const transaction = loadTransaction(openCell(cell))
  demandHead(transaction, account, lt)
  return { cell, transaction }
}

/** That were read to their end: pages of a history that is polled, or walked through, overlap. */
const readable = new LRUCache<BinaryHash, true>({ max: 2_000 })

/** Reads all of a transaction, but for one that was read a moment ago. */
function checkedHead(cell: Cell, account: Uint8Array, lt: bigint): TransactionHead {
  const hash = cell.hash()
  const isKnown = readable.get(hash) === true
  const head = isKnown ? loadTransactionHead(openCell(cell)) : loadTransaction(openCell(cell))
  demandHead(head, account, lt)
  if (!isKnown) readable.set(hash, true)
  return head
}

function demandAccount({ hash }: AccountId): void {
  demand(hash.length === 32, 'answer', 'an account id has 32 bytes')
}

/** The answer's block ids are only checked to be of a shard that contains the account. */
function demandPossibleBlock(block: BlockIdExt | undefined, account: AccountId): void {
  const fits = block !== undefined && block.workchain === account.workchain && isInShard(block.shard, account.hash)
  demand(fits, 'answer', 'a transaction is said to be in a block of another shard')
}

/**
 * Checks a walk backwards through an account's transactions: each has the hash named by its successor. The blocks that
 * contain them are not proven here.
 */
export const verifyTransactions = (...query: HistoryCheck): readonly VerifiedTransaction[] =>
  refusing('transactions', () => walkedBack(...query))

type HistoryCheck = readonly [
  account: AccountId,
  from: { readonly lt: bigint; readonly hash: Uint8Array; readonly count: number },
  answer: TransactionsAnswer,
]

function walkedBack(...[account, from, answer]: HistoryCheck): readonly VerifiedTransaction[] {
  demandAccount(account)
  const roots = answer.transactions.length === 0 ? [] : fewRootsOf(answer.transactions, MOST_AT_ONCE)
  const most = Math.min(from.count, MOST_AT_ONCE)
  demand(roots.length <= most, 'list', `${roots.length} transactions where up to ${most} were wanted`)
  demand(roots.length === answer.ids.length, 'list', 'not one block for each transaction')
  demand(roots.length > 0 || from.count === 0 || from.lt === 0n, 'missing', 'the transaction is not shown')
  let { lt, hash } = from
  return roots.map((root, i) => {
    demand(lt > 0n, 'list', 'a transaction before the first one')
    demandPossibleBlock(answer.ids[i], account)
    demand(root.mask === 0 && root.hash() === hashFromBytes(hash), 'hash', `transaction ${lt} has another hash`)
    const { prevLt, prevHash } = checkedHead(root, account.hash, lt)
    demand(prevLt < lt, 'transaction', 'the transaction before is not an earlier one')
    lt = prevLt
    hash = prevHash
    return new HistoryTransaction(root)
  })
}

/** A transaction in a proven block; null when there is none, for which the header is enough outside its lt range. */
function transactionAt(id: BlockIdExt, account: AccountId, lt: bigint, proof: Uint8Array): Cell | null {
  const { block, info } = provenBlock(id, proof)
  if (lt <= info.startLt || lt >= info.endLt) return null
  return accountBlocksOf(blockExtraOf(block)).get(account.hash)?.transactions.get(lt) ?? null
}

/** Checks that a transaction is in a block, or that there is none with this lt. */
export function verifyOneTransaction(
  id: BlockIdExt,
  account: AccountId,
  lt: bigint,
  answer: TransactionAnswer,
): VerifiedTransaction | null {
  return refusing('transaction', () => {
    demandSameBlock(answer.id, id)
    demandAccount(account)
    demand(account.workchain === id.workchain, 'answer', 'the account lives in another workchain')
    demand(isInShard(id.shard, account.hash), 'answer', 'the account lives in another shard')
    const proven = transactionAt(id, account, lt, answer.proof)
    if (proven === null) {
      demand(answer.transaction.length === 0, 'transaction', 'a transaction is shown that is not proven')
      return null
    }
    const cell = wholeTree(answer.transaction)
    demand(cell.hash() === proven.hash(), 'transaction', 'another transaction than is proven')
    return checkedTransaction(cell, account.hash, lt)
  })
}

export interface VerifiedList<T> {
  readonly transactions: readonly T[]
  readonly incomplete: boolean
}

type ListAnswer = Pick<BlockTransactionsAnswer, 'id' | 'proof' | 'incomplete'>

/** Walks the proven block as the server must have done, to find gaps, additions and an early end. */
function provenList(id: BlockIdExt, query: ListQuery, answer: ListAnswer, shown: number): ListedTransaction[] {
  demandSameBlock(answer.id, id)
  const most = Math.min(query.count, MOST_LISTED)
  demand(shown <= most, 'list', `${shown} transactions where up to ${most} were wanted`)
  const block = provenBody(id, answer.proof)
  const walk = inListOrder(accountBlocksOf(blockExtraOf(block)), query)
  const list: ListedTransaction[] = []
  while (list.length < shown) {
    const next = walk.next()
    demand(next.done !== true, 'list', 'more transactions are shown than are proven')
    list.push(next.value)
  }
  // A full list may leave open whether anything follows; a short one is the end, and the proof must show that.
  demand(!answer.incomplete || shown === most, 'list', 'the list breaks off before it is full')
  if (!answer.incomplete) demand(walk.next().done === true, 'list', 'transactions are left out at the end')
  return list
}

/** Checks a list of a block's transactions by their hashes. */
export function verifyBlockTransactions(
  id: BlockIdExt,
  query: ListQuery,
  answer: BlockTransactionsAnswer,
): VerifiedList<{ readonly account: Uint8Array; readonly lt: bigint; readonly hash: Uint8Array }> {
  return refusing('list of transactions', () => {
    const proven = provenList(id, query, answer, answer.ids.length)
    const transactions = proven.map(({ account, lt, cell }, i) => {
      const shown = answer.ids[i]
      const hash = cell.hashBytes()
      const isIt = shown !== undefined && sameBytes(shown.account, account) && shown.lt === lt
      demand(isIt && sameBytes(shown.hash, hash), 'list', `transaction ${i} of the list is another one`)
      return { account, lt, hash }
    })
    return { transactions, incomplete: answer.incomplete }
  })
}

/** The same with the transactions themselves. */
export function verifyBlockTransactionsExt(
  id: BlockIdExt,
  query: ListQuery,
  answer: BlockTransactionsExtAnswer,
): VerifiedList<VerifiedTransaction> {
  return refusing('list of transactions', () => {
    const isEmpty = answer.transactions.length === 0
    const roots = isEmpty ? [] : fewRootsOf(answer.transactions, MOST_LISTED)
    const proven = provenList(id, query, answer, roots.length)
    const transactions = proven.map(({ account, lt, cell }, i) => {
      const root = roots[i]
      const isIt = root !== undefined && root.mask === 0 && root.hash() === cell.hash()
      demand(isIt, 'list', `transaction ${i} of the list is another one`)
      return checkedTransaction(root, account, lt)
    })
    return { transactions, incomplete: answer.incomplete }
  })
}
