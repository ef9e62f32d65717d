// Removes rows of blocks that are no longer part of the chain, after an embedded chain was reverted or created again.

import { sameBytes } from '../cell/index.ts'
import { type BlockIdExt, LiteError, MASTERCHAIN, WHOLE_SHARD } from '../node/index.ts'
import {
  type ContractsFound,
  type CursorRow,
  type Database,
  firstKept,
  groupBy,
  lockIndexAt,
  type Rollback,
  readAccountsAbove,
  readMaster,
  rollbackTo,
} from '../store/index.ts'
import { type AssetBook, joinedContracts } from './assets/assetBook.ts'
import { askNode } from './chain/asking.ts'
import type { StepReader } from './chain/stepReader.ts'
import { accountRowsAt, type PastAccountParts, withLastChanges } from './lastChanges.ts'
import { StakingBook } from './staking/stakingBook.ts'
import type { StakingParts } from './staking/stakingParts.ts'

/** The chain's block of a seqno; null when it has none. */
export async function blockOfChain(reader: StepReader, seqno: number): Promise<BlockIdExt | null> {
  try {
    return await reader.named(seqno)
  } catch (error) {
    if (error instanceof LiteError && error.kind === 'notReady') return null
    throw error
  }
}

/** The last indexed block that the chain has, too; null when there is none. `find` returns null for what the chain has not. */
export async function commonAncestor(
  find: (seqno: number) => Promise<BlockIdExt | null>,
  database: Pick<Database, 'transaction'>,
  cursor: CursorRow,
): Promise<BlockIdExt | null> {
  const shared = async (seqno: number): Promise<BlockIdExt | null> => {
    const indexed = await database.transaction((sql) => readMaster(sql, seqno))
    const found = await find(seqno)
    return indexed !== null && found !== null && sameBytes(indexed.rootHash, found.rootHash) ? found : null
  }
  // Up to some block both are the same, from there on they differ.
  let ancestor: BlockIdExt | null = null
  for (let [low, high] = [firstKept(cursor), cursor.lastMcSeqno]; low <= high; ) {
    const middle = (low + high) >> 1
    const found = await shared(middle)
    if (found === null) high = middle - 1
    else {
      ancestor = found
      low = middle + 1
    }
  }
  return ancestor
}

export interface RewindParts extends PastAccountParts {
  /** Null when contracts are not classified. */
  readonly assets: Pick<AssetBook, 'at'> | null
  readonly staking: StakingParts
}

/** The last masterchain block of an index when a rewind of it began. */
export type IndexedTip = Pick<BlockIdExt, 'seqno' | 'rootHash'>

/**
 * Undoes what is indexed above a masterchain block that the chain still has. Throws StoreError `conflict` when another process has
 * written meanwhile: which accounts are set back, and to what, was read before.
 */
export async function rewindTo(parts: RewindParts, ancestor: BlockIdExt, tip: IndexedTip): Promise<void> {
  const touched = await parts.database.transaction((sql) => readAccountsAbove(sql, ancestor.seqno))
  const then = await accountRowsAt(parts, ancestor, touched)
  // These rows get the block of the revert: an account set back to an earlier state may have changed in between, and the next revert
  // has to find it.
  const accounts = then.filter((row) => row !== null)
  const changed = await withLastChanges(parts, ancestor, accounts)
  const there = new Set(accounts.map(({ account }) => account))
  const gone = touched.filter((account) => !there.has(account))
  const contracts = await contractsAt(parts, { accounts: changed, gone })
  const staking = await new StakingBook(parts.staking).at(ancestor, changed)
  const mcSeqno = ancestor.seqno
  await parts.database.transaction(async (sql) => {
    await lockIndexAt(sql, tip)
    await rollbackTo(sql, { mcSeqno, accounts, gone, staking, ...(contracts === null ? {} : { contracts }) })
  })
}

/** Each account as of the block that changed it last. */
async function contractsAt(
  parts: RewindParts,
  { accounts, gone }: Pick<Rollback, 'accounts' | 'gone'>,
): Promise<ContractsFound | null> {
  const { database, reader, assets, chain } = parts
  if (assets === null) return null
  const byBlock = groupBy(accounts, ({ mcSeqno }) => mcSeqno)
  const found: ContractsFound[] = []
  for (const [seqno, own] of [...byBlock].sort(([one], [other]) => one - other)) {
    const master = await database.transaction((sql) => readMaster(sql, seqno))
    const id = await reader.named(seqno)
    const query = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }
    // A block that is older than `--keep` is not in the index any more.
    const utime = master?.utime ?? (await askNode(parts, (options) => chain.find(query, options))).info.genUtime
    found.push(await assets.at({ id, utime, accounts: own, codes: [] }))
  }
  return joinedContracts(found, gone)
}
