// Blocks: their bytes, their headers, the states after them, and finding them by number, logical time or time.

import { type Cell, hashToBytes, openAny, sha256 } from '../../cell/index.ts'
import {
  type BlockHeaderAnswer,
  type BlockIdExt,
  type BlockQuery,
  type BlockStateAnswer,
  headerParts,
  LiteError,
  MASTERCHAIN,
  shardText,
} from '../../node/index.ts'
import { type Block, blockExtraOf } from '../../tlb/index.ts'
import type { JournalBlock } from '../journal/index.ts'
import { BASECHAIN } from '../state/index.ts'
import type { ChainSource } from './chainSource.ts'
import { checkBlockId, checkPlace } from './checkQuery.ts'
import { keepAll, openMasterExtra, proveBlock, toAnyBoc, toBoc } from './proofs.ts'

/** The flavour the node stores blocks and states in. */
const STORED = 31
/** Whole states are shown after the first blocks only. */
const NEWEST_STATE = 1000

function openParts(block: Block, mode: number): void {
  const has = (part: keyof typeof headerParts): boolean => (mode & headerParts[part]) !== 0
  if (has('stateUpdate')) openAny(block.stateUpdate)
  if (has('valueFlow')) keepAll(block.valueFlow)
  if (!has('extra')) return
  if (blockExtraOf(block).custom === null) return
  const { shardHashes, previousSignatures } = openMasterExtra(block)
  if (has('shardHashes')) keepAll(shardHashes.root)
  if (has('previousSignatures')) keepAll(previousSignatures.root)
}

/** The header of a block with the parts of a mode. */
export const headerProof = (root: Cell, mode: number): Uint8Array =>
  toBoc(proveBlock(root, (block) => openParts(block, mode)))

export async function header(source: ChainSource, id: BlockIdExt, mode: number): Promise<BlockHeaderAnswer> {
  const located = source.locateBlock(id)
  if (mode === 0) return { id, mode, headerProof: await source.headerProof(located) }
  return { id, mode, headerProof: headerProof(await source.blockRoot(located), mode) }
}

/** The block of a query. Throws LiteError `notReady` when it does not exist (yet). */
export function find(source: ChainSource, query: BlockQuery): JournalBlock {
  const { workchain } = query
  checkPlace(query)
  const isHere = workchain === MASTERCHAIN || workchain === BASECHAIN
  const facts = isHere ? findIn(source.reader, query) : undefined
  if (facts !== undefined) return facts
  throw new LiteError('notReady', notFoundText(source, query, isHere))
}

/** Both texts of the node: clients look for one or the other. */
function notFoundText(source: ChainSource, query: BlockQuery, isHere: boolean): string {
  const [mark, what] = markOf(query)
  const opening = `cannot find block ${shardText(query)} ${mark}: `
  if (!isHere) return `${opening}${what} not in db`
  const isAhead = !('seqno' in query) || query.seqno > 0
  return `${opening}ltdb: block not found, ${what} not in db${isAhead ? source.newest(query.workchain) : ''}`
}

function markOf(query: BlockQuery): readonly [mark: string, what: string] {
  if ('seqno' in query) return [`seqno=${query.seqno}`, 'seqno']
  return 'lt' in query ? [`lt=${query.lt}`, 'lt'] : [`utime=${query.utime}`, 'ts']
}

function findIn(reader: ChainSource['reader'], query: BlockQuery): JournalBlock | undefined {
  if ('seqno' in query) return reader.bySeqno(query.workchain, query.seqno)
  return 'lt' in query ? reader.byLt(query.workchain, query.lt) : reader.byUtime(query.workchain, query.utime)
}

export const blockBytes = async (source: ChainSource, id: BlockIdExt): Promise<Uint8Array> =>
  (await source.block(source.locateBlock(id))).boc

export const blockRoot = (source: ChainSource, id: BlockIdExt): Promise<Cell> =>
  source.blockRoot(source.locateBlock(id))

export async function stateBytes(source: ChainSource, id: BlockIdExt): Promise<BlockStateAnswer> {
  checkBlockId(id)
  if (id.seqno > NEWEST_STATE) throw new LiteError('badQuery', 'cannot request total state: possibly too large')
  const located = source.locateBlock(id)
  if (located.facts === null) {
    const { master, base } = source.reader.zerostates
    const { boc } = id.workchain === MASTERCHAIN ? master : base
    return { id, rootHash: id.rootHash, fileHash: id.fileHash, data: boc }
  }
  const { root } = await source.state(located)
  const data = await toAnyBoc(source, root, STORED)
  return { id, rootHash: root.hashBytes(), fileHash: hashToBytes(sha256(data)), data }
}
