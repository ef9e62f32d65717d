// The resume point of the index: read from the store whenever following starts.

import type { IndexFrom } from '../../shared/indexFrom.ts'
import { sameBytes } from '../cell/index.ts'
import {
  type BlockIdExt,
  type Chain,
  isSameBlock,
  LiteError,
  MASTERCHAIN,
  type ReadOptions,
  WHOLE_SHARD,
} from '../node/index.ts'
import {
  adoptIdentity,
  type BatchCursor,
  type CursorRow,
  type Database,
  firstKept,
  forgetAllRows,
  type IndexState,
  lockIndex,
  lockIndexAt,
  readIndexState,
  readMaster,
  type Sql,
  StoreError,
} from '../store/index.ts'
import type { Tip } from './chain/chainStep.ts'
import { tipBefore, tipIn, withProtocol } from './chain/chainTips.ts'
import type { HeadWatch } from './chain/headWatch.ts'
import type { StepReader } from './chain/stepReader.ts'
import { type ChainIdentity, checkGenesis, checkNetwork, type OwnChain, otherBlock } from './chainIdentity.ts'
import { IndexerError } from './indexerError.ts'
import type { IndexHead, IndexHeads } from './indexHead.ts'
import type { Progress } from './progress.ts'
import { blockOfChain, commonAncestor, type IndexedTip, type RewindParts, rewindTo } from './rewind.ts'

/** State between two batches. */
export interface ResumePoint {
  readonly cursor: Pick<BatchCursor, 'network' | 'firstMcSeqno'>
  readonly identity: ChainIdentity
  /** Null while the index is empty. */
  readonly previous: number | null
  readonly tip: Tip
}

export interface ResumeParts extends RewindParts {
  readonly chain: Chain
  readonly database: Database
  /** The chain this index belongs to; a database with the index of another one is refused. */
  readonly own: OwnChain
  readonly reader: StepReader
  readonly watch: HeadWatch
  readonly heads: IndexHeads
  readonly progress: Pick<Progress, 'undid'>
  /** The first masterchain block of an empty index; null for what suits the chain. */
  readonly indexFrom: IndexFrom | null
  /** Called when the index turned out to be of this chain. */
  readonly onChecked: () => void
}

/** How long a server that is behind may take to get an indexed block. */
const LATE_MS = 1_000

const optionsOf = ({ timeoutMs, signal }: ResumeParts): ReadOptions => ({ timeoutMs, signal })

/** The first masterchain block an empty index begins with. */
async function firstSeqno(parts: ResumeParts): Promise<number> {
  const { chain, watch, indexFrom, signal } = parts
  const newest = await watch.ask(signal)
  if (indexFrom === null) return chain.traits.firstSeqno ?? newest.seqno
  if (indexFrom === 'now') return newest.seqno
  if ('utime' in indexFrom) return await seqnoAt(parts, newest, indexFrom.utime)
  if (indexFrom.seqno > newest.seqno) throw notYet(`at block ${indexFrom.seqno}: the newest one is ${newest.seqno}`)
  return indexFrom.seqno
}

/** Not an error: the index begins when the chain has reached the block. */
const notYet = (words: string): LiteError => new LiteError('notReady', `waiting to begin the index ${words}`)

/** The first masterchain block made at or after a time. */
async function seqnoAt(parts: ResumeParts, newest: BlockIdExt, utime: number): Promise<number> {
  const { utime: newestAt } = await parts.chain.head(optionsOf(parts))
  if (utime > newestAt)
    throw notYet(`at ${timeText(utime)}: the newest block, ${newest.seqno}, is of ${timeText(newestAt)}`)
  const { id } = await parts.chain.find({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, utime }, optionsOf(parts))
  return id.seqno
}

const timeText = (utime: number): string => new Date(utime * 1000).toISOString()

async function emptyIndex(parts: ResumeParts, first: number): Promise<ResumePoint> {
  const { chain, own } = parts
  const identity = await own.identity(optionsOf(parts))
  const tip = await withProtocol(chain, await tipBefore(chain, first, optionsOf(parts)), optionsOf(parts))
  return { cursor: { network: own.network, firstMcSeqno: first }, identity, previous: null, tip }
}

/** Reads the index, which is of this chain: throws IndexerError for any other. */
async function stateOf(parts: ResumeParts): Promise<IndexState> {
  const { database, own } = parts
  const state = await database.transaction((sql) => readIndexState(sql))
  checkNetwork(state, own)
  if (state.cursor === null) return state
  const identity = await own.identity(optionsOf(parts))
  checkGenesis(state, identity, own.elsewhere)
  if (state.identity === null) await adopt(parts, state.cursor, identity)
  return state
}

/** Gives an index that was made before identities were kept that of this chain, if its first block is of it. */
async function adopt(parts: ResumeParts, cursor: CursorRow, identity: ChainIdentity): Promise<void> {
  const { database, reader, own } = parts
  const seqno = firstKept(cursor)
  const indexed = await database.transaction((sql) => readMaster(sql, seqno))
  const found = await blockOfChain(reader, seqno)
  if (indexed === null || found === null)
    throw new LiteError('notReady', `the chain has no block ${seqno} yet, by which the index recognizes it: waiting`)
  const isSame = sameBytes(indexed.rootHash, found.rootHash)
  if (!isSame) throw otherBlock(seqno, [indexed.rootHash, found.rootHash], own.elsewhere)
  await database.transaction((sql) => adoptIdentity(sql, identity))
}

/** Rows that were written into tables whose dump is still being restored would break the restore. */
const emptied = ({ seqno }: IndexHead): StoreError =>
  new StoreError(
    'unavailable',
    `the index is empty, which had block ${seqno}: waiting for it, as while a dump is restored; a restart of this process begins it anew`,
  )

/** Where to go on. What the index has of a chain that has gone another way is undone first. */
export async function loadResumePoint(parts: ResumeParts): Promise<ResumePoint> {
  const { chain, database, own, reader, heads } = parts
  const { cursor, first } = await stateOf(parts)
  // An empty one has no chain yet, unless this process has seen it with blocks.
  if (cursor !== null || heads.lastSeen !== null) parts.onChecked()
  heads.first = first
  if (cursor === null) {
    if (heads.lastSeen !== null) throw emptied(heads.lastSeen)
    heads.set(null)
    return await emptyIndex(parts, await firstSeqno(parts))
  }
  const { utime, ...bare } = await database.transaction((sql) => tipIn(sql, cursor.lastMcSeqno))
  heads.set({ seqno: bare.id.seqno, rootHash: bare.id.rootHash, utime, at: Date.now() })
  const found = await blockOfChain(reader, bare.id.seqno)
  if (found !== null && isSameBlock(found, bare.id)) {
    const tip = await withProtocol(chain, bare, optionsOf(parts))
    const identity = await own.identity(optionsOf(parts))
    return { cursor, identity, previous: cursor.lastMcSeqno, tip }
  }
  if (!chain.traits.canRewind && found !== null) {
    const find = (seqno: number): Promise<BlockIdExt | null> => blockOfChain(reader, seqno)
    throw otherChain(bare.id.seqno, await commonAncestor(find, database, cursor), own.elsewhere)
  }
  const newest = (await parts.watch.ask(parts.signal)).seqno
  if (found === null && !(await isUndone(parts, bare.id, newest)))
    throw new LiteError('notReady', `no lite server has block ${bare.id.seqno}, the last one that was indexed`)
  await rewind(parts, { cursor, tip: bare.id }, newest)
  return await loadResumePoint(parts)
}

/** Whether a block that is not found is gone: it is above the chain, and servers had time to get it. */
async function isUndone({ chain, signal }: ResumeParts, id: BlockIdExt, newest: number): Promise<boolean> {
  if (!chain.traits.canRewind || id.seqno <= newest) return false
  try {
    await chain.header(id, { timeoutMs: LATE_MS, signal })
    return false
  } catch (error) {
    if (error instanceof LiteError && (error.isMissing || error.kind === 'timeout')) return true
    throw error
  }
}

const otherChain = (seqno: number, ancestor: BlockIdExt | null, elsewhere: string): IndexerError =>
  new IndexerError(
    'gap',
    `block ${seqno} of the masterchain is not the one that was indexed: ` +
      (ancestor === null
        ? `chain and index have no block in common; use other lite servers, or choose ${elsewhere}`
        : `chain and index agree up to block ${ancestor.seqno}; if the chain was reverted, start once with ` +
          `--reindex-from ${ancestor.seqno + 1}, else use other lite servers`),
  )

interface Indexed {
  readonly cursor: CursorRow
  readonly tip: IndexedTip
}

/** Undoes what the chain does not have any more. */
async function rewind(parts: ResumeParts, { cursor, tip }: Indexed, newest: number): Promise<void> {
  // Up to there the chain has each: a server that lacks one says nothing about where the chains part.
  const find = async (seqno: number) => (seqno > newest ? null : await parts.reader.named(seqno))
  const ancestor = await commonAncestor(find, parts.database, cursor)
  if (ancestor?.seqno === cursor.lastMcSeqno) return
  if (ancestor !== null) await rewindTo(parts, ancestor, tip)
  else await forgetAll(parts, (sql) => lockIndexAt(sql, tip))
  const from = ancestor === null ? firstKept(cursor) : ancestor.seqno + 1
  parts.progress.undid(from, cursor.lastMcSeqno, parts.chain.traits.firstSeqno === null)
}

/** Empties the index. */
async function forgetAll({ database, heads }: ResumeParts, check: (sql: Sql) => Promise<unknown>): Promise<void> {
  // Before the transaction: if the connection is lost while it commits, the index may be empty all the same.
  heads.lastSeen = null
  await database.transaction(async (sql) => {
    await check(sql)
    await forgetAllRows(sql)
  })
  heads.set(null)
}

/** Makes the index restart at a masterchain block: its rows from there on are removed. */
export async function reindexFrom(parts: ResumeParts, seqno: number): Promise<void> {
  const { database, own, reader, heads } = parts
  const state = await database.transaction((sql) => readIndexState(sql))
  const { cursor } = state
  checkNetwork(state, own)
  if (cursor === null) heads.lastSeen = null
  if (cursor === null || seqno > cursor.lastMcSeqno) return
  if (seqno <= firstKept(cursor)) return await forgetAll(parts, lockIndex)
  await stateOf(parts)
  const tip = await database.transaction((sql) => tipIn(sql, cursor.lastMcSeqno))
  await rewindTo(parts, await reader.named(seqno - 1), tip.id)
}
