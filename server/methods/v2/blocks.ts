import { toBase64 } from '../../../shared/base64.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { blocksV2 } from '../../../shared/v2/blocks.ts'
import { type BlockIdExt, type BlockQuery, type Chain, masterBlock } from '../../node/index.ts'
import type { Call, Handlers } from '../call.ts'
import { toShardBlockProof, toSignatures } from '../view/blockProof.ts'
import { toHeader } from '../view/header.ts'
import { toBlockId, toZeroStateId } from '../view/ids.ts'

type BlockChain = Pick<Chain, 'head' | 'find' | 'idOf' | 'header' | 'shards' | 'proofs' | 'queueSizes'>

/** Shards are signed on the wire, unsigned in the chain. */
const shardOf = (shard: bigint): bigint => BigInt.asUintN(64, shard)

function queryOf({ workchain, shard, seqno, lt, unixtime }: Params<typeof blocksV2.lookupBlock>): BlockQuery {
  const chain = { workchain, shard: shardOf(shard) }
  if (seqno !== undefined) return { seqno, ...chain }
  return lt === undefined ? { utime: unixtime ?? 0, ...chain } : { lt, ...chain }
}

/** The masterchain block a proof starts from; 0 is the zero state. */
const trustedBlock = async (chain: BlockChain, seqno: number | undefined, signal: AbortSignal): Promise<BlockIdExt> =>
  seqno === 0 ? (await chain.head({ signal })).zerostate : masterBlock(chain, seqno, { signal })

async function shardBlockProof(
  chain: BlockChain,
  { workchain, shard, seqno, from_seqno }: Params<typeof blocksV2.getShardBlockProof>,
  signal: AbortSignal,
): Promise<Result<typeof blocksV2.getShardBlockProof>> {
  const from = await trustedBlock(chain, from_seqno, signal)
  const id = await chain.idOf({ workchain, shard: shardOf(shard), seqno }, { signal })
  const path = await chain.proofs.shardBlock(id, { signal })
  return toShardBlockProof(from, path, await chain.proofs.stepsBack(from, path.masterchainId, { signal }))
}

async function header(
  chain: BlockChain,
  { workchain, shard, seqno, root_hash, file_hash }: Params<typeof blocksV2.getBlockHeader>,
  signal: AbortSignal,
): Promise<Result<typeof blocksV2.getBlockHeader>> {
  const named = { workchain, shard: shardOf(shard), seqno }
  if (!root_hash || !file_hash) return toHeader(await chain.find(named, { signal }))
  return toHeader(await chain.header({ rootHash: root_hash, fileHash: file_hash, ...named }, { signal }))
}

async function shardsOf(
  chain: BlockChain,
  seqno: number,
  signal: AbortSignal,
): Promise<Result<typeof blocksV2.shards>> {
  const tops = await chain.shards(await masterBlock(chain, seqno, { signal }), { signal })
  return { '@type': 'blocks.shards', shards: tops.map((top) => toBlockId(top.id)) }
}

export function blockHandlers(chain: BlockChain): Handlers<typeof blocksV2> {
  const shards = ({ seqno }: Params<typeof blocksV2.shards>, { signal }: Call) => shardsOf(chain, seqno, signal)
  return {
    async getMasterchainInfo(_params, { signal }) {
      const { id, stateHash, zerostate } = await chain.head({ signal })
      return {
        '@type': 'blocks.masterchainInfo',
        last: toBlockId(id),
        state_root_hash: toBase64(stateHash),
        init: toZeroStateId(zerostate),
      }
    },

    async getMasterchainBlockSignatures({ seqno }, { signal }) {
      const id = await masterBlock(chain, seqno, { signal })
      return toSignatures(id, await chain.proofs.signatures(id, { signal }))
    },

    getShardBlockProof: (params, { signal }) => shardBlockProof(chain, params, signal),

    async getConsensusBlock(_params, { signal }) {
      const { id, now } = await chain.head({ signal })
      return { '@type': 'ext.blocks.consensusBlock', consensus_block: id.seqno, timestamp: now }
    },

    async lookupBlock(params, { signal }) {
      return toBlockId(await chain.idOf(queryOf(params), { signal }))
    },

    getShards: shards,

    shards,

    getBlockHeader: (params, { signal }) => header(chain, params, signal),

    async getOutMsgQueueSize(_params, { signal }) {
      const { id: newest } = await chain.head({ signal })
      const { sizes, externalLimit } = await chain.queueSizes(newest, { signal })
      return {
        '@type': 'blocks.outMsgQueueSizes',
        shards: sizes.map(({ id, size }) => ({ '@type': 'blocks.outMsgQueueSize', id: toBlockId(id), size })),
        ext_msg_queue_size_limit: externalLimit,
      }
    },
  }
}
