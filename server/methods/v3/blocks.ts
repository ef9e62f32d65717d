import { ApiError } from '../../../shared/errors.ts'
import type { Result } from '../../../shared/registry.ts'
import type { blocksV3 } from '../../../shared/v3/blocks.ts'
import { MASTERCHAIN } from '../../node/index.ts'
import {
  type BlockRow,
  type ByteSpan,
  blocksRead,
  indexedRead,
  masterRead,
  type PagedRead,
  readAll,
  readBlockPage,
  type Sql,
  shardStateRead,
  withTimesOfLts,
} from '../../store/index.ts'
import type { Call, WritingHandlers } from '../call.ts'
import { openPage } from '../paging.ts'
import { toIndexedBlock } from '../view/v3/block.ts'
import { addListedBlock } from '../view/v3/blockText.ts'
import { writeObject } from '../written.ts'
import { demandKept } from './demandKept.ts'
import { writeRows } from './texts/writeRows.ts'

type Methods = typeof blocksV3
type Page = Result<Methods['v3.blocks']>
type Cursor = ReturnType<typeof openPage>['cursor']

const NO_BLOCKS = 'blocks not found'

async function pageOf(store: Sql, read: PagedRead<BlockRow>, cursor: Cursor, call: Call) {
  const { blocks, next } = await readBlockPage(store, read, call)
  const written = await writeRows<ByteSpan, Page['blocks'][number]>(blocks, addListedBlock, call.caller)
  return { isEmpty: blocks.length === 0, page: writeObject<Page>({ blocks: written, cursor: cursor(next) }) }
}

export const indexedBlockHandlers = (store: Sql): WritingHandlers<Methods> => ({
  async 'v3.masterchainInfo'(_params, call) {
    const indexed = await readAll(store, indexedRead(), call)
    const [first, last] = [indexed[0], indexed.at(-1)]
    if (!first || !last) throw new ApiError('notIndexed', undefined, { retryAfter: 1 })
    return { last: toIndexedBlock(last), first: toIndexedBlock(first) }
  },

  async 'v3.masterchainBlockShardState'({ seqno }, call) {
    await demandKept(store, { mcSeqno: seqno }, call)
    const rows = await readAll(store, shardStateRead(seqno), call)
    if (rows.length === 0) throw new ApiError('notFound', NO_BLOCKS)
    return { blocks: rows.map(toIndexedBlock) }
  },

  async 'v3.masterchainBlockShards'(params, call) {
    const { ask, cursor } = openPage('v3.masterchainBlockShards', params)
    await demandKept(store, { mcSeqno: params.seqno }, call)
    const read = blocksRead({ mcSeqno: params.seqno }, ask, params.sort ?? null)
    const { isEmpty, page } = await pageOf(store, read, cursor, call)
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
    await demandKept(store, workchain === MASTERCHAIN && seqno !== undefined ? { mcSeqno: seqno } : filter, call)
    const read = blocksRead(await withTimesOfLts(store, filter, call), ask, sort)
    return (await pageOf(store, read, cursor, call)).page
  },
})
