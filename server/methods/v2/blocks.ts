import { toBase64 } from '../../../shared/base64.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { blocks } from '../../../shared/v2/blocks.ts'
import {
  type BlockIdExt,
  type BlockQuery,
  type LiteServer,
  MASTERCHAIN,
  verifyHeader,
  verifyShardBlockProof,
  verifyShards,
  WHOLE_SHARD,
} from '../../node/index.ts'
import type { Call, Handlers } from '../call.ts'
import { upstream } from '../errors.ts'
import { masterBlock } from '../masterBlock.ts'
import { signaturesOf, stepsBack } from '../trust.ts'
import { toBlockId, toZeroStateId } from '../view/block.ts'
import { toShardBlockProof, toSignatures } from '../view/blockProof.ts'
import { toHeader } from '../view/header.ts'

type Node = Pick<
  LiteServer,
  'masterchainInfo' | 'lookup' | 'header' | 'shards' | 'blockProof' | 'shardBlockProof' | 'queueSizes'
>

/** The wire has shards with a sign, the chain without. */
const shardOf = (shard: bigint): bigint => BigInt.asUintN(64, shard)

function queryOf({ workchain, shard, seqno, lt, unixtime }: Params<typeof blocks.lookupBlock>): BlockQuery {
  const chain = { workchain, shard: shardOf(shard) }
  if (seqno !== undefined) return { seqno, ...chain }
  return lt === undefined ? { utime: unixtime ?? 0, ...chain } : { lt, ...chain }
}

/** The masterchain block a proof starts from; 0 is the zero state. */
async function trustedBlock(node: Node, seqno: number | undefined, signal: AbortSignal): Promise<BlockIdExt> {
  if (seqno !== 0) return masterBlock(node, seqno, signal)
  const { init } = await node.masterchainInfo({ signal })
  return { ...init, workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0 }
}

async function shardBlockProof(
  node: Node,
  { workchain, shard, seqno, from_seqno }: Params<typeof blocks.getShardBlockProof>,
  signal: AbortSignal,
): Promise<Result<typeof blocks.getShardBlockProof>> {
  const from = await trustedBlock(node, from_seqno, signal)
  const { id } = await node.lookup({ workchain, shard: shardOf(shard), seqno }, 0, { signal })
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
  const answer =
    root_hash && file_hash
      ? await node.header({ rootHash: root_hash, fileHash: file_hash, ...named }, 0, { signal })
      : await node.lookup(named, 0, { signal })
  return toHeader(verifyHeader(answer.id, answer))
}

async function shardsOf(node: Node, seqno: number, signal: AbortSignal): Promise<Result<typeof blocks.shards>> {
  const id = await masterBlock(node, seqno, signal)
  const tops = verifyShards(id, await node.shards(id, { signal }))
  return { '@type': 'blocks.shards', shards: tops.map((top) => toBlockId(top.id)) }
}

export function blockHandlers(node: Node): Handlers<typeof blocks> {
  const shards = ({ seqno }: Params<typeof blocks.shards>, { signal }: Call) => upstream(shardsOf(node, seqno, signal))
  return {
    async getMasterchainInfo(_params, { signal }) {
      const { last, stateRootHash, init } = await upstream(node.masterchainInfo({ signal }))
      return {
        '@type': 'blocks.masterchainInfo',
        last: toBlockId(last),
        state_root_hash: toBase64(stateRootHash),
        init: toZeroStateId(init),
      }
    },

    async getMasterchainBlockSignatures({ seqno }, { signal }) {
      const { id, signatures } = await upstream(signaturesOf(node, seqno, signal))
      return toSignatures(id, signatures)
    },

    getShardBlockProof: (params, { signal }) => upstream(shardBlockProof(node, params, signal)),

    async getConsensusBlock(_params, { signal }) {
      const { last, now } = await upstream(node.masterchainInfo({ signal }))
      return { '@type': 'ext.blocks.consensusBlock', consensus_block: last.seqno, timestamp: now }
    },

    async lookupBlock(params, { signal }) {
      return toBlockId((await upstream(node.lookup(queryOf(params), 0, { signal }))).id)
    },

    getShards: shards,

    shards,

    getBlockHeader: (params, { signal }) => upstream(header(node, params, signal)),

    async getOutMsgQueueSize(_params, { signal }) {
      const { shards: sizes, externalLimit } = await upstream(node.queueSizes(undefined, { signal }))
      const isMaster = ({ id }: (typeof sizes)[number]) => id.workchain === MASTERCHAIN
      const ordered = [...sizes.filter(isMaster), ...sizes.filter((size) => !isMaster(size))]
      return {
        '@type': 'blocks.outMsgQueueSizes',
        shards: ordered.map(({ id, size }) => ({ '@type': 'blocks.outMsgQueueSize', id: toBlockId(id), size })),
        ext_msg_queue_size_limit: externalLimit,
      }
    },
  }
}
