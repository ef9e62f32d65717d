// Finds the two transactions of a message by its sender, recipient and time of creation. Logical time leads to the
// block of the sender; the recipient's is the same or a later one.

import { openCell, sameBytes } from '../cell/index.ts'
import {
  type AccountId,
  type AccountReader,
  type BlockIdExt,
  type Chain,
  LiteError,
  MASTERCHAIN,
  prefixOf,
  readAccount,
  shardHolds,
  type VerifiedTransaction,
} from '../node/index.ts'
import { loadMessage, type MessageInfo } from '../tlb/index.ts'
import { pagesFrom } from './historyPages.ts'

export type Locator = AccountReader & Pick<Chain, 'find' | 'header' | 'blockTransactions' | 'shards' | 'transactions'>

export interface MessageMark {
  readonly source: AccountId
  readonly destination: AccountId
  readonly createdLt: bigint
}

const AT_ONCE = 16
/** Blocks searched before the account's history: most messages are received at once, and a shard makes up to eight blocks
 * between two of the masterchain. */
const NEAR_BLOCKS = 32

interface BlockSpan {
  readonly id: BlockIdExt
  readonly endLt: bigint
}

/** The first block of an account's shard that ends at or after a logical time; null before there is one. */
async function blockBehind(
  chain: Locator,
  { workchain, hash }: AccountId,
  lt: bigint,
  signal: AbortSignal,
): Promise<BlockSpan | null> {
  try {
    const { id, info } = await chain.find({ workchain, shard: prefixOf(hash) | 1n, lt }, { signal })
    return { id, endLt: info.endLt }
  } catch (error) {
    const isMissing = error instanceof LiteError && (error.kind === 'notReady' || error.kind === 'failed')
    if (isMissing && (await endOf(chain, { workchain, hash }, signal)) < lt) return null
    throw error
  }
}

/** The logical time at which the chain of an account's shard ends; -1 without such a shard. */
async function endOf(chain: Locator, { workchain, hash }: AccountId, signal: AbortSignal): Promise<bigint> {
  const { id } = await chain.head({ signal })
  if (workchain === MASTERCHAIN) return (await chain.header(id, { signal })).info.endLt
  const tops = await chain.shards(id, { signal })
  const top = tops.find(({ id: of }) => of.workchain === workchain && shardHolds(of.shard, prefixOf(hash)))
  return top?.description.endLt ?? -1n
}

/** The account's transactions in a block, in order. */
async function* transactionsIn(
  chain: Locator,
  id: BlockIdExt,
  { hash }: AccountId,
  signal: AbortSignal,
): AsyncGenerator<VerifiedTransaction> {
  // In most blocks there is one at most, and those of other accounts follow: what is read beyond is wasted.
  for (let [lt, count] = [0n, 1]; ; count = Math.min(2 * count, AT_ONCE)) {
    const query = { count, after: { account: hash, lt } }
    const { transactions, incomplete } = await chain.blockTransactions(id, query, { signal })
    for (const one of transactions) {
      if (!sameBytes(one.transaction.account, hash)) return
      lt = one.transaction.lt
      yield one
    }
    if (!incomplete || transactions.length === 0) return
  }
}

function isMarked(info: MessageInfo, { source, destination, createdLt }: MessageMark): boolean {
  if (info.kind !== 'internal' || info.createdLt !== createdLt) return false
  const ends = [
    [info.src, source],
    [info.dest, destination],
  ] as const
  return ends.every(
    ([end, { workchain, hash }]) => end.kind === 'std' && end.workchain === workchain && sameBytes(end.hash, hash),
  )
}

function sends({ transaction: { lt, outCount, outMessages } }: VerifiedTransaction, mark: MessageMark): boolean {
  // Messages are created one by one after the transaction's own time.
  if (mark.createdLt <= lt || mark.createdLt > lt + BigInt(outCount)) return false
  return [...outMessages].some(([, cell]) => isMarked(loadMessage(openCell(cell)).info, mark))
}

const takes = ({ transaction: { inMessage } }: VerifiedTransaction, mark: MessageMark): boolean =>
  inMessage !== null && isMarked(loadMessage(openCell(inMessage)).info, mark)

/** The transaction that sent it, or null. */
export async function locateSource(
  chain: Locator,
  mark: MessageMark,
  signal: AbortSignal,
): Promise<VerifiedTransaction | null> {
  const block = await blockBehind(chain, mark.source, mark.createdLt, signal)
  if (block === null) return null
  for await (const one of transactionsIn(chain, block.id, mark.source, signal)) if (sends(one, mark)) return one
  return null
}

/** The transaction that received it, or null. */
export async function locateResult(
  chain: Locator,
  mark: MessageMark,
  signal: AbortSignal,
): Promise<VerifiedTransaction | null> {
  let lt = mark.createdLt
  for (let looked = 0; looked < NEAR_BLOCKS; looked++) {
    const block = await blockBehind(chain, mark.destination, lt, signal)
    if (block === null) return null
    for await (const one of transactionsIn(chain, block.id, mark.destination, signal)) if (takes(one, mark)) return one
    lt = block.endLt + 1n
  }
  return await locateInHistory(chain, mark, signal)
}

async function locateInHistory(
  chain: Locator,
  mark: MessageMark,
  signal: AbortSignal,
): Promise<VerifiedTransaction | null> {
  const { shardAccount } = await readAccount(chain, mark.destination, undefined, signal)
  if (shardAccount === null) return null
  const from = { lt: shardAccount.lastTransLt, hash: shardAccount.lastTransHash }
  for await (const page of pagesFrom(chain, mark.destination, from, Number.POSITIVE_INFINITY, {
    signal,
    isProven: true,
  })) {
    const found = page.find((one) => takes(one, mark))
    if (found) return found
    if ((page.at(-1)?.transaction.lt ?? 0n) <= mark.createdLt) return null
  }
  return null
}
