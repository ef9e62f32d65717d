import { ApiError } from '../../../shared/errors.ts'
import type { blocksV3 } from '../../../shared/v3/blocks.ts'
import { MASTERCHAIN } from '../../node/index.ts'
import {
  blocksRead,
  indexedRead,
  masterRead,
  readAll,
  readPage,
  type Sql,
  shardStateRead,
  withTimesOfLts,
} from '../../store/index.ts'
import type { Handlers } from '../call.ts'
import { openPage } from '../paging.ts'
import { toIndexedBlock } from '../view/v3/block.ts'
import { demandKept } from './demandKept.ts'

const NO_BLOCKS = 'blocks not found'

export const indexedBlockHandlers = (store: Sql): Handlers<typeof blocksV3> => ({
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
    const { rows, next } = await readPage(store, blocksRead({ mcSeqno: params.seqno }, ask, params.sort ?? null), call)
    // A known block is found at least itself, unless the page begins after all of them.
    if (rows.length === 0 && (await readAll(store, masterRead(params.seqno), call)).length === 0)
      throw new ApiError('notFound', NO_BLOCKS)
    return { blocks: rows.map(toIndexedBlock), cursor: cursor(next) }
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
    const { rows, next } = await readPage(store, blocksRead(await withTimesOfLts(store, filter, call), ask, sort), call)
    return { blocks: rows.map(toIndexedBlock), cursor: cursor(next) }
  },
})
