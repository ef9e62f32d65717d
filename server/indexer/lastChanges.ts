// Contracts are what they were found to be when they changed last: what confirms them may have come or gone since. An account that
// is set back is examined as of that block, as an index that never went further did.

import { sameBytes } from '../cell/index.ts'
import { SlicedWork } from '../fairness/index.ts'
import { type BlockIdExt, type Chain, LiteError, MASTERCHAIN, WHOLE_SHARD } from '../node/index.ts'
import { inParallel } from '../process/index.ts'
import {
  type AccountKey,
  type AccountRow,
  type Database,
  firstKept,
  readIndexState,
  readLastTransactions,
} from '../store/index.ts'
import type { ShardAccount } from '../tlb/index.ts'
import { accountContent } from './accounts/accountContent.ts'
import { accountIdOf } from './accounts/accountIdOf.ts'
import { type Asking, askNode } from './chain/asking.ts'
import type { StepReader } from './chain/stepReader.ts'

export interface PastAccountParts extends Asking {
  readonly chain: Pick<Chain, 'account' | 'find' | 'traits'>
  readonly reader: Pick<StepReader, 'named'>
  readonly database: Pick<Database, 'transaction'>
}

/** Accounts: more than the calls to a node that run at once. A rewind of a real network may set back a million. */
const AT_ONCE = 64

type ReadParts = Omit<PastAccountParts, 'reader' | 'database'>

/** States of the embedded chain are in memory: thousands of reads would run in one turn of the event loop, and callers would wait. */
interface SlicedParts extends ReadParts {
  readonly slices: SlicedWork
}

/** Null for each that does not exist in that block. */
export function accountRowsAt(
  parts: ReadParts,
  id: BlockIdExt,
  accounts: readonly AccountKey[],
): Promise<(AccountRow | null)[]> {
  const sliced = { ...parts, slices: new SlicedWork({ signal: parts.signal }) }
  return inParallel(accounts, AT_ONCE, (account) => accountRowAt(sliced, id, account))
}

async function accountRowAt(parts: SlicedParts, id: BlockIdExt, account: AccountKey): Promise<AccountRow | null> {
  const found = await shardAccountAt(parts, id, account)
  if (found === null) return null
  const { state, data } = await accountContent(found.account, parts.slices)
  return { account, lastTxHash: found.lastTransHash, lastTxLt: found.lastTransLt, data, mcSeqno: id.seqno, ...state }
}

async function shardAccountAt(parts: SlicedParts, id: BlockIdExt, account: AccountKey): Promise<ShardAccount | null> {
  const { chain, slices } = parts
  const { shardAccount } = await askNode(parts, async (options) => {
    if (slices.isDue) await slices.rest()
    return await chain.account(id, accountIdOf(account), options)
  })
  return shardAccount
}

/** Rows of accounts as of a block, with the block that changed each of them last, as far as the chain still has its state. */
export async function withLastChanges(
  parts: PastAccountParts,
  ancestor: BlockIdExt,
  rows: readonly AccountRow[],
): Promise<AccountRow[]> {
  const { chain, database } = parts
  // Servers of other chains have no states of old blocks.
  if (!chain.traits.canRewind || rows.length === 0) return [...rows]
  const { cursor } = await database.transaction((sql) => readIndexState(sql))
  const last = await database.transaction((sql) => readLastTransactions(sql, rows))
  const first = cursor?.firstMcSeqno ?? ancestor.seqno
  const isPruned = cursor !== null && firstKept(cursor) > first
  const sliced = { ...parts, slices: new SlicedWork({ signal: parts.signal }) }
  return await inParallel(rows, AT_ONCE, async (row, i) => {
    const { mcSeqno, stateAfter } = last[i] ?? {}
    const from = mcSeqno ?? (isPruned ? await prunedTransactionAt(parts, row, first) : first)
    // An embedded chain rebuilds the states of old blocks, each from hundreds of blocks.
    const isLeft = stateAfter !== undefined && sameBytes(stateAfter, row.hash)
    return { ...row, mcSeqno: isLeft ? from : await lastChange(sliced, { row, from, to: ancestor.seqno }) }
  })
}

/** The block with the last transaction of an account, which the index has removed; `first` when it never had one. */
async function prunedTransactionAt(parts: PastAccountParts, { lastTxLt }: AccountRow, first: number): Promise<number> {
  if (lastTxLt === 0n) return first
  const query = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, lt: lastTxLt }
  const { id } = await askNode(parts, (options) => parts.chain.find(query, options))
  return Math.max(first, id.seqno)
}

interface Change {
  readonly row: AccountRow
  /** The block of its last transaction, which is nearly always the one. */
  readonly from: number
  readonly to: number
}

async function lastChange(parts: PastAccountParts & SlicedParts, { row, from, to }: Change): Promise<number> {
  const isUnchanged = async (seqno: number): Promise<boolean> => {
    const then = await shardAccountAt(parts, await parts.reader.named(seqno), row.account)
    return then !== null && then.lastTransLt === row.lastTxLt && sameBytes(then.account.hashBytes(), row.hash)
  }
  let found = to
  try {
    for (let [low, high] = [from, to - 1]; low <= high; ) {
      const middle = low === from ? low : (low + high) >> 1
      if (await isUnchanged(middle)) {
        found = middle
        high = middle - 1
      } else low = middle + 1
    }
  } catch (error) {
    if (!(error instanceof LiteError && error.isMissing)) throw error
  }
  return found
}
