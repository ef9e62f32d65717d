import { toBase64 } from '../../../shared/base64.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { blocks } from '../../../shared/v2/blocks.ts'
import {
  type BlockIdExt,
  type BlockQuery,
  type BlockSource,
  type LiteServer,
  provenBlock,
  provenHead,
  provenMaster,
  provenZerostate,
  verifyHeader,
  verifyQueueSize,
  verifyShardBlockProof,
  verifyShards,
} from '../../node/index.ts'
import type { Call, Handlers } from '../call.ts'
import { upstream } from '../errors.ts'
import { signaturesOf, stepsBack } from '../trust.ts'
import { toBlockId, toZeroStateId } from '../view/block.ts'
import { toShardBlockProof, toSignatures } from '../view/blockProof.ts'
import { toHeader } from '../view/header.ts'

type Node = BlockSource &
  Pick<LiteServer, 'shards' | 'blockProof' | 'shardBlockProof' | 'queueSizes' | 'blockQueueSize'>

/** The wire has shards with a sign, the chain without. */
const shardOf = (shard: bigint): bigint => BigInt.asUintN(64, shard)

function queryOf({ workchain, shard, seqno, lt, unixtime }: Params<typeof blocks.lookupBlock>): BlockQuery {
  const chain = { workchain, shard: shardOf(shard) }
  if (seqno !== undefined) return { seqno, ...chain }
  return lt === undefined ? { utime: unixtime ?? 0, ...chain } : { lt, ...chain }
}

/** The masterchain block a proof starts from; 0 is the zero state. */
async function trustedBlock(node: Node, seqno: number | undefined, signal: AbortSignal): Promise<BlockIdExt> {
  if (seqno !== 0) return provenMaster(node, seqno, { signal })
  return provenZerostate(node, await provenHead(node, { signal }), { signal })
}

async function shardBlockProof(
  node: Node,
  { workchain, shard, seqno, from_seqno }: Params<typeof blocks.getShardBlockProof>,
  signal: AbortSignal,
): Promise<Result<typeof blocks.getShardBlockProof>> {
  const from = await trustedBlock(node, from_seqno, signal)
  const { id } = await provenBlock(node, { workchain, shard: shardOf(shard), seqno }, { signal })
  const answer = await node.shardBlockProof(id, { signal })
  verifyShardBlockProof(answer.masterchainId, id, answer)
  return toShardBlockProof(from, answer, await stepsBack(node, from, answer.masterchainId, signal))
}

async function header(
  node: Node,
  { workchain, shard, seqno, root_hash, file_hash }: Params<typeof blocks.getBlockHeader>,
  signal: AbortSignal,
): Promise<Result<typeof blocks.getBlockHeader>> {
  const named = { workchain, shard: shardOf(shard), seqno }
  if (!root_hash || !file_hash) return toHeader(await provenBlock(node, named, { signal }))
  const id = { rootHash: root_hash, fileHash: file_hash, ...named }
  return toHeader(verifyHeader(id, await node.header(id, 0, { signal })))
}

async function shardsOf(node: Node, seqno: number, signal: AbortSignal): Promise<Result<typeof blocks.shards>> {
  const id = await provenMaster(node, seqno, { signal })
  const tops = verifyShards(id, await node.shards(id, { signal }))
  return { '@type': 'blocks.shards', shards: tops.map((top) => toBlockId(top.id)) }
}

/** How many messages wait in the masterchain's queue and in those of the shards it stands for. */
async function queueSizes(node: Node, signal: AbortSignal): Promise<Result<typeof blocks.getOutMsgQueueSize>> {
  const { last } = await provenHead(node, { signal })
  const tops = verifyShards(last, await node.shards(last, { signal }))
  const sizeOf = async (id: BlockIdExt) => ({
    '@type': 'blocks.outMsgQueueSize' as const,
    id: toBlockId(id),
    size: verifyQueueSize(id, await node.blockQueueSize(id, true, { signal })),
  })
  // The limit is no part of the chain but a setting of the server.
  const [{ externalLimit }, ...sizes] = await Promise.all([
    node.queueSizes(last, { signal }),
    ...[last, ...tops.map(({ id }) => id)].map(sizeOf),
  ])
  return { '@type': 'blocks.outMsgQueueSizes', shards: sizes, ext_msg_queue_size_limit: externalLimit }
}

async function masterchainInfo(node: Node, signal: AbortSignal): Promise<Result<typeof blocks.getMasterchainInfo>> {
  const info = await provenHead(node, { signal })
  const init = await provenZerostate(node, info, { signal })
  return {
    '@type': 'blocks.masterchainInfo',
    last: toBlockId(info.last),
    state_root_hash: toBase64(info.stateRootHash),
    init: toZeroStateId(init),
  }
}

export function blockHandlers(node: Node): Handlers<typeof blocks> {
  const shards = ({ seqno }: Params<typeof blocks.shards>, { signal }: Call) => upstream(shardsOf(node, seqno, signal))
  return {
    getMasterchainInfo: (_params, { signal }) => upstream(masterchainInfo(node, signal)),

    async getMasterchainBlockSignatures({ seqno }, { signal }) {
      const { id, signatures } = await upstream(signaturesOf(node, seqno, signal))
      return toSignatures(id, signatures)
    },

    getShardBlockProof: (params, { signal }) => upstream(shardBlockProof(node, params, signal)),

    async getConsensusBlock(_params, { signal }) {
      const { last, now } = await upstream(provenHead(node, { signal }))
      return { '@type': 'ext.blocks.consensusBlock', consensus_block: last.seqno, timestamp: now }
    },

    async lookupBlock(params, { signal }) {
      return toBlockId((await upstream(provenBlock(node, queryOf(params), { signal }))).id)
    },

    getShards: shards,

    shards,

    getBlockHeader: (params, { signal }) => upstream(header(node, params, signal)),

    getOutMsgQueueSize: (_params, { signal }) => upstream(queueSizes(node, signal)),
  }
}
