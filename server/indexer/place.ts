// Where the index stands and what follows: read from the store whenever following begins.

import { isSameBlock, type LiteOptions, type LiteServer } from '../node/index.ts'
import { type CursorRow, type Database, forgetAll, readCursor } from '../store/index.ts'
import type { HeadWatch } from './chain/headWatch.ts'
import { tipBefore, tipIn, withProtocol } from './chain/start.ts'
import type { Tip } from './chain/step.ts'
import type { StepReader } from './chain/stepReader.ts'
import { IndexerError } from './errors.ts'
import type { IndexHeads } from './indexHead.ts'
import { blockOfChain, commonAncestor, type RewindParts, rewindTo } from './rewind.ts'

/** What is at hand between two batches. */
export interface Place {
  readonly cursor: Pick<CursorRow, 'network' | 'firstMcSeqno'>
  /** Null while the index is empty. */
  readonly previous: number | null
  readonly tip: Tip
}

export interface PlaceParts extends RewindParts {
  readonly node: LiteServer
  readonly database: Database
  /** What the index is of; an index of anything else is left alone. */
  readonly network: string
  readonly reader: StepReader
  readonly watch: HeadWatch
  readonly heads: IndexHeads
  /** The first masterchain block of an empty index; null for what suits the chain. */
  readonly indexFrom: number | null
}

const optionsOf = ({ timeoutMs, signal }: PlaceParts): LiteOptions => ({ timeoutMs, signal })

/** The first masterchain block an empty index begins with. */
async function firstSeqno({ node, watch, indexFrom, signal }: PlaceParts): Promise<number> {
  const newest = await watch.ask(signal)
  if (indexFrom === null) return node.kind === 'devchain' ? 1 : newest.seqno
  if (indexFrom > newest.seqno)
    throw new IndexerError('order', `the index cannot begin at block ${indexFrom}: the newest one is ${newest.seqno}`)
  return indexFrom
}

async function emptyPlace(parts: PlaceParts, first: number): Promise<Place> {
  const { node, network } = parts
  const tip = await withProtocol(node, await tipBefore(node, first, optionsOf(parts)), optionsOf(parts))
  return { cursor: { network, firstMcSeqno: first }, previous: null, tip }
}

/** Where to go on. What the index has of a chain that has gone another way is undone first. */
export async function findPlace(parts: PlaceParts): Promise<Place> {
  const { node, database, network, reader, heads } = parts
  const cursor = await database.transaction((sql) => readCursor(sql))
  if (cursor === null) {
    heads.set(null)
    return await emptyPlace(parts, await firstSeqno(parts))
  }
  if (cursor.network !== network)
    throw new IndexerError(
      'network',
      `the database holds the index of ${cursor.network}, not of ${network}: choose another one with --database`,
    )
  const { utime, ...bare } = await database.transaction((sql) => tipIn(sql, cursor.lastMcSeqno))
  heads.set({ seqno: bare.id.seqno, rootHash: bare.id.rootHash, utime, at: Date.now() })
  const found = await blockOfChain(reader, bare.id.seqno)
  if (found !== null && isSameBlock(found, bare.id)) {
    const tip = await withProtocol(node, bare, optionsOf(parts))
    return { cursor, previous: cursor.lastMcSeqno, tip }
  }
  if (node.kind === 'remote')
    throw found === null
      ? new Error('the node does not have the last block that was indexed')
      : otherChain(bare.id.seqno)
  await rewind(parts, cursor)
  return await findPlace(parts)
}

const otherChain = (seqno: number): IndexerError =>
  new IndexerError(
    'gap',
    `block ${seqno} of the masterchain is not the one that was indexed: ask other lite servers, choose another database ` +
      'with --database, or index anew from a block both agree on with --reindex-from',
  )

/** Undoes what the chain does not have any more. */
async function rewind(parts: PlaceParts, cursor: CursorRow): Promise<void> {
  const ancestor = await commonAncestor(parts.reader, parts.database, cursor)
  if (ancestor === null) await parts.database.transaction(forgetAll)
  else if (ancestor.seqno < cursor.lastMcSeqno) await rewindTo(parts, ancestor)
}

/** Makes the index begin anew at a masterchain block: what it has from there on is undone. */
export async function reindexFrom(parts: PlaceParts, seqno: number): Promise<void> {
  const { database, reader } = parts
  const cursor = await database.transaction((sql) => readCursor(sql))
  if (cursor === null || seqno > cursor.lastMcSeqno) return
  if (seqno <= cursor.firstMcSeqno) await database.transaction(forgetAll)
  else await rewindTo(parts, await reader.named(seqno - 1))
}
