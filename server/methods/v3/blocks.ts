import { ApiError } from '../../../shared/errors.ts'
import type { Result } from '../../../shared/registry.ts'
import type { blocksV3 } from '../../../shared/v3/blocks.ts'
import { MASTERCHAIN } from '../../node/index.ts'
import {
  type ByteSpan,
  blocksRead,
  indexedRead,
  masterRead,
  readAll,
  readBlockNames,
  readBlockPage,
  type Sql,
  shardStateRead,
  type TextBytes,
  withTimesOfLts,
} from '../../store/index.ts'
import type { Call, WritingHandlers } from '../call.ts'
import type { IndexProgress } from '../indexView.ts'
import { openPage } from '../paging.ts'
import { toIndexedBlock } from '../view/v3/block.ts'
import { addListedBlock, addNamedBlock } from '../view/v3/blockText.ts'
import { Written, writeObject } from '../written.ts'
import { whileKept } from './kept/demandKept.ts'
import { KeptBlocks } from './kept/keptBlocks.ts'
import { writeRows } from './texts/writeRows.ts'

type Methods = typeof blocksV3
type Page = Result<Methods['v3.blocks']>
type Cursor = ReturnType<typeof openPage>['cursor']

const NO_BLOCKS = 'blocks not found'
const MOST_WAIT_MS = 1000

type BlockList = Parameters<typeof blocksRead>

/** Pages of blocks, by what is kept of earlier ones where that is enough. */
function blockPages(store: Sql) {
  const kept = new KeptBlocks()

  /** Null when one of its blocks is not kept. */
  async function keptPage(list: BlockList, call: Call) {
    const { blocks, next } = await readBlockNames(store, list, call)
    const text = kept.list(blocks)
    return text === null ? null : { count: blocks.length, text: [text], next }
  }

  const addKept = (block: ByteSpan, to: TextBytes): void => {
    const from = to.at
    kept.keep(addNamedBlock(block, to), to.written(from))
  }

  async function wholePage(list: BlockList, add: typeof addKept, call: Call) {
    const { blocks, next } = await readBlockPage(store, blocksRead(...list), call)
    const { text } = await writeRows<ByteSpan, Page['blocks'][number]>(blocks, add, call)
    return { count: blocks.length, text, next }
  }

  return async (list: BlockList, cursor: Cursor, call: Call) => {
    const [, request] = list
    const found = kept.isPromising(request.limit)
      ? ((await keptPage(list, call)) ?? (await wholePage(list, addKept, call)))
      : await wholePage(list, addListedBlock, call)
    const blocks = new Written<Page['blocks']>(found.text)
    return { isEmpty: found.count === 0, page: writeObject<Page>({ blocks, cursor: cursor(found.next) }) }
  }
}

export type KnownIndex = Pick<IndexProgress, 'indexed' | 'waitFor' | 'lookSoon'>

/**
 * A process that only reads the index caches lists until it sees a new block there. It looks now, so that no list lacks the block
 * that is about to be reported.
 */
async function untilKnown(index: KnownIndex | undefined, seqno: number, call: Call): Promise<void> {
  const known = index?.indexed()?.seqno
  if (index === undefined || known === undefined || known >= seqno) return
  index.lookSoon(seqno)
  const wait = () => index.waitFor(seqno, { signal: call.signal, timeoutMs: MOST_WAIT_MS })
  await (call.outsideLane?.(wait) ?? wait())
}

export function indexedBlockHandlers(store: Sql, index?: KnownIndex): WritingHandlers<Methods> {
  const pageOf = blockPages(store)
  return {
    async 'v3.masterchainInfo'(_params, call) {
      const indexed = await readAll(store, indexedRead(), call)
      const first = indexed[0]
      const last = indexed.at(-1)
      if (!first || !last) throw new ApiError('notIndexed', undefined, { retryAfter: 1 })
      await untilKnown(index, last.seqno, call)
      return { last: toIndexedBlock(last), first: toIndexedBlock(first) }
    },

    async 'v3.masterchainBlockShardState'({ seqno }, call) {
      const read = () => readAll(store, shardStateRead(seqno), call)
      const rows = await whileKept(store, { masterSeqno: seqno }, read)
      if (rows.length === 0) throw new ApiError('notFound', NO_BLOCKS)
      return { blocks: rows.map(toIndexedBlock) }
    },

    async 'v3.masterchainBlockShards'(params, call) {
      const { ask, cursor } = openPage('v3.masterchainBlockShards', params)
      const list: BlockList = [{ mcSeqno: params.seqno }, ask, params.sort ?? null]
      const read = () => pageOf(list, cursor, call)
      const { isEmpty, page } = await whileKept(store, { masterSeqno: params.seqno }, read)
      // A known block is found at least itself, unless the page begins after all of them.
      if (isEmpty && (await readAll(store, masterRead(params.seqno), call)).length === 0)
        throw new ApiError('notFound', NO_BLOCKS)
      return page
    },

    async 'v3.blocks'(params, call) {
      const { ask, cursor } = openPage('v3.blocks', params)
      const { workchain, shard, seqno, root_hash, file_hash, mc_seqno, sort } = params
      const filter = {
        workchain,
        shard,
        seqno,
        rootHash: root_hash,
        fileHash: file_hash,
        mcSeqno: mc_seqno,
        startUtime: params.start_utime,
        endUtime: params.end_utime,
        startLt: params.start_lt,
        endLt: params.end_lt,
      }
      const end = workchain === MASTERCHAIN && seqno !== undefined ? { masterSeqno: seqno } : filter
      const read = async () => pageOf([await withTimesOfLts(store, filter, call), ask, sort], cursor, call)
      return (await whileKept(store, end, read)).page
    },
  }
}
