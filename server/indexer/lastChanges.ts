// Contracts are what they were found to be when they changed last: what confirms them may have come or gone since. An account that
// is set back is examined as of that block, as an index that never went further did.

import { sameBytes } from '../cell/index.ts'
import { accountContent } from '../facts/index.ts'
import { type BlockIdExt, type Chain, LiteError } from '../node/index.ts'
import {
  type AccountKey,
  type AccountRow,
  type Database,
  firstKept,
  readBlocksOfTransactions,
  readIndexState,
} from '../store/index.ts'
import { accountIdOf } from './accounts/accountIdOf.ts'
import type { Slots } from './chain/slots.ts'
import type { StepReader } from './chain/stepReader.ts'

export interface PastAccountParts {
  readonly chain: Pick<Chain, 'account' | 'traits'>
  readonly reader: Pick<StepReader, 'named'>
  readonly database: Pick<Database, 'transaction'>
  readonly lanes: Slots
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Null when it does not exist in that block. */
export async function accountRowAt(
  parts: Omit<PastAccountParts, 'reader' | 'database'>,
  id: BlockIdExt,
  account: AccountKey,
): Promise<AccountRow | null> {
  const { chain, lanes, timeoutMs, signal } = parts
  const name = accountIdOf(account)
  const { shardAccount } = await lanes.run(() => chain.account(id, name, { timeoutMs, signal }))
  if (shardAccount === null) return null
  const { state, data } = accountContent(shardAccount.account)
  const { lastTransHash, lastTransLt } = shardAccount
  return { account, lastTxHash: lastTransHash, lastTxLt: lastTransLt, data, mcSeqno: id.seqno, ...state }
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
  const seqnos = await database.transaction((sql) => readBlocksOfTransactions(sql, rows))
  const first = cursor === null ? ancestor.seqno : firstKept(cursor)
  const dated = rows.map(async (row, i) => ({
    ...row,
    mcSeqno: await lastChange(parts, { row, from: seqnos[i] ?? first, to: ancestor.seqno }),
  }))
  return await Promise.all(dated)
}

interface Change {
  readonly row: AccountRow
  /** The block of its last transaction, which is nearly always the one. */
  readonly from: number
  readonly to: number
}

async function lastChange(parts: PastAccountParts, { row, from, to }: Change): Promise<number> {
  const isUnchanged = async (seqno: number): Promise<boolean> => {
    const then = await accountRowAt(parts, await parts.reader.named(seqno), row.account)
    return then !== null && then.lastTxLt === row.lastTxLt && sameBytes(then.hash, row.hash)
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
