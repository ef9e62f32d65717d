// Transactions of an account, newest first, found by following each one's word about the one before it.

import { type Cell, openCell } from '../../cell/index.ts'
import { accountBlocksOf, blockExtraOf, loadBlock } from '../../tlb/index.ts'
import type { BlockIndex } from './blockIndex.ts'
import type { Steps, StoredBlock } from './steps.ts'

export interface FoundTransaction {
  readonly block: StoredBlock
  readonly transaction: Cell
  readonly lt: bigint
  readonly hash: Uint8Array
  readonly prevLt: bigint
  readonly prevHash: Uint8Array
}

export interface TransactionQuery {
  readonly workchain: number
  /** Account id, 32 bytes. */
  readonly account: Uint8Array
  /** Of the newest one wanted. */
  readonly lt: bigint
  readonly hash: Uint8Array
  readonly count: number
}

/** The transaction of an account at a logical time in a block; null when there is none. */
export function transactionIn(block: Cell, account: Uint8Array, lt: bigint): Cell | null {
  const blocks = accountBlocksOf(blockExtraOf(loadBlock(openCell(block))))
  return blocks.get(account)?.transactions.get(lt) ?? null
}

/** Where a transaction says the one before it stands. */
function previousOf(transaction: Cell): { prevHash: Uint8Array; prevLt: bigint } {
  const slice = openCell(transaction).skip(4 + 256 + 64)
  return { prevHash: slice.loadBytes(32), prevLt: slice.loadUintBig(64) }
}

/**
 * Up to `count` transactions from (lt, hash) backwards; fewer when the account has no more. Empty when there is no such
 * transaction.
 */
export async function findTransactions(
  { index, steps }: { readonly index: BlockIndex; readonly steps: Steps },
  query: TransactionQuery,
): Promise<FoundTransaction[]> {
  const found: FoundTransaction[] = []
  let { lt, hash } = query
  while (found.length < query.count && lt > 0n) {
    const facts = index.byLt(query.workchain, lt)
    if (facts === undefined || facts.startLt > lt) break
    const block = await steps.block(facts)
    const transaction = transactionIn(block.root, query.account, lt)
    if (transaction === null || Buffer.compare(transaction.hashBytes(), hash) !== 0) break
    const previous = previousOf(transaction)
    found.push({ block, transaction, lt, hash, ...previous })
    lt = previous.prevLt
    hash = previous.prevHash
  }
  return found
}
