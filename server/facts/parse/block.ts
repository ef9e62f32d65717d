// A block, read into rows.

import { Cell, hashFromBytes, inOnePiece, MAX_DEPTH, openCell, readBoc } from '../../cell/index.ts'
import type { BlockIdExt } from '../../node/index.ts'
import {
  type BlockExtra,
  blockExtraOf,
  blockInfoOf,
  configParam,
  hasAccounts,
  loadBlock,
  masterExtraOf,
  type ShardHashes,
  shardTopsIn,
} from '../../tlb/index.ts'
import { changedAccounts } from './accounts.ts'
import { INT32_MAX } from './bounds.ts'
import type { BlockFacts, BlockTop, ChainContext, MasterFacts } from './facts.ts'
import { blockKey, blockRow, checkName, type ReadHeader } from './header.ts'
import { ParseBudget } from './parseBudget.ts'
import { demandParsed, reading, readingPieces } from './parseError.ts'
import { TransactionReader } from './transactions.ts'

const LIMITS = { maxBytes: 1 << 26, maxCells: 1 << 20, maxDepth: MAX_DEPTH } as const
/** Many more than any chain has had. */
const MOST_SHARDS = 1 << 14

function readHeader(name: BlockIdExt, bytes: Uint8Array | Cell): ReadHeader {
  const id = { ...name, shard: BigInt.asUintN(64, name.shard) }
  const root = bytes instanceof Cell ? bytes : readBoc(bytes, LIMITS)
  demandParsed(root.hash() === hashFromBytes(id.rootHash), 'block', 'it has another root hash')
  const block = loadBlock(openCell(root))
  return { id, block, info: blockInfoOf(block) }
}

function readShardTops(hashes: ShardHashes): BlockTop[] {
  const tops: BlockTop[] = []
  for (const { id } of shardTopsIn(hashes)) {
    demandParsed(tops.length < MOST_SHARDS, 'shards', `there are more than ${MOST_SHARDS}`)
    demandParsed(hasAccounts(id.workchain) && id.seqno <= INT32_MAX, 'shards', 'there is one no block can be of')
    tops.push(id)
  }
  return tops
}

function readMaster(extra: BlockExtra): MasterFacts | null {
  const master = masterExtraOf(extra)
  if (master === null) return null
  const version = master.config === null ? null : configParam(master.config, 8)
  return { shardTops: readShardTops(master.shardHashes), globalVersion: version?.version ?? null }
}

/** `parseBlock` in pieces of at most two milliseconds: a block of half a megabyte takes eight in all. */
export function* parsingBlock(
  id: BlockIdExt,
  bytes: Uint8Array | Cell,
  { mcSeqno, globalVersion }: ChainContext,
): Generator<void, BlockFacts> {
  const header = reading(
    () => 'header',
    () => readHeader(id, bytes),
  )
  checkName(header)
  const { block, info } = header
  const extra = reading(
    () => 'header',
    () => blockExtraOf(block),
  )
  const master = reading(
    () => 'shards',
    () => readMaster(extra),
  )
  const budget = new ParseBudget()
  const context = { budget, globalVersion: globalVersion ?? info.software?.version ?? 0 }
  const reader = new TransactionReader(blockKey(id), mcSeqno, context)
  yield* reader.read(extra)
  const { transactions, messages } = reader
  const update = { workchain: id.workchain, budget, last: reader.lastOfEach() }
  const accounts = yield* readingPieces(() => 'state update', changedAccounts(block.stateUpdate, update))
  const row = reading(
    () => 'header',
    () => blockRow(header, extra, { mcSeqno, txCount: transactions.length }),
  )
  return { block: row, transactions, messages, accounts, master }
}

/**
 * Everything the index keeps of a block, from its bag of cells or its root. A caller that passes a root has checked the
 * bytes. Throws ParseError for what is not the whole block of that name.
 */
export function parseBlock(id: BlockIdExt, bytes: Uint8Array | Cell, context: ChainContext): BlockFacts {
  return inOnePiece(parsingBlock(id, bytes, context))
}
