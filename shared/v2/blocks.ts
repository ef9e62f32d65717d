import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { method, readsV2 } from '../method.ts'
import { Int32, LogicalTime, Seqno, Shard, Uint32 } from '../primitives.ts'
import { BlockHeader, OutMsgQueueSize } from './blockHeader.ts'
import { BlockLinkBack, ShardLink, Signatures } from './blockProof.ts'
import { Base64Hash, blockIdExample, OptionalHash, TonBlockIdExt } from './tonlib.ts'

const group = 'blocks'

const WHOLE = '-9223372036854775808'
const inShard = {
  ...blockIdExample,
  workchain: 0,
  seqno: 53114021,
  root_hash: exampleValues.OTHER_HASH,
  file_hash: 'Ln0sA6lQeuJl7PW1NWiFpTOTogKdJBOUmXJloaJa78Y=',
}
const before = { ...blockIdExample, seqno: 48213376, root_hash: inShard.root_hash, file_hash: inShard.file_hash }
const { CELL } = exampleValues

const NotNegative = Int32.min(0)
const ofMaster = z.strictObject({ seqno: Seqno.describe('Seqno of the masterchain block.') })
const workchain = Int32.describe('-1 for the masterchain, 0 for the basechain.')
const shard = Shard.describe('Shard prefix, 64 bits: signed decimal or 16 hex digits; 8000000000000000 is the whole.')

/** One method under two names: older clients call it `shards`. */
const shardsBy = (name: string, description: string) =>
  method({
    summary: 'Newest block of every shard, as of a masterchain block.',
    description,
    group,
    params: ofMaster,
    result: z.object({
      '@type': z.literal('blocks.shards'),
      shards: z.array(TonBlockIdExt).describe('One block for each shard of the basechain.'),
    }),
    rest: readsV2(name),
    freshness: 'block',
    example: { params: { seqno: 1 }, result: { '@type': 'blocks.shards', shards: [inShard] } },
  })

export const blocksV2 = {
  getMasterchainInfo: method({
    summary: 'Newest masterchain block and the zero state of the chain.',
    description: 'Poll it to follow the chain. The zero state identifies the network.',
    group,
    params: z.strictObject({}),
    result: z
      .object({
        '@type': z.literal('blocks.masterchainInfo'),
        last: TonBlockIdExt.describe('Newest masterchain block.'),
        state_root_hash: Base64Hash.describe('Hash of the state after that block, base64.'),
        init: TonBlockIdExt.describe('Zero state, with the hashes that identify the network.'),
      })
      .meta({ id: 'MasterchainInfo', description: 'Head and origin of the chain.' }),
    rest: readsV2('getMasterchainInfo'),
    freshness: 'block',
    example: {
      params: {},
      result: {
        '@type': 'blocks.masterchainInfo',
        last: blockIdExample,
        state_root_hash: '/TDmEsg99OXQETA69o1t7YcnRByhOAOcmghWrbgHLYw=',
        init: {
          '@type': 'ton.blockIdExt',
          workchain: -1,
          shard: '0',
          seqno: 0,
          root_hash: 'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=',
          file_hash: 'XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24=',
        },
      },
    },
  }),

  getMasterchainBlockSignatures: method({
    summary: 'Signatures of validators on a masterchain block.',
    description: 'For light clients that check blocks themselves; the service has verified every block it returns.',
    group,
    params: ofMaster,
    result: Signatures,
    rest: readsV2('getMasterchainBlockSignatures'),
    freshness: 'block',
    example: {
      params: { seqno: 1 },
      result: {
        '@type': 'blocks.blockSignatures',
        id: blockIdExample,
        signatures: [
          {
            '@type': 'blocks.signature',
            node_id_short: 'ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=',
            signature: 'JGk4IYASZThLgAstvMtSrmkpMGsp61Qv3CvmPUgWrYeFk8MOEYPRD2Kq6OEwsA6+CPrbaGbxFERds1BgOKROmg==',
          },
        ],
      },
    },
  }),

  getShardBlockProof: method({
    summary: 'Proof that a block belongs to the chain, from a trusted masterchain block.',
    description:
      'For light clients and bridges. The proof goes back from `from_seqno` to the masterchain block that registers the block, then down to it; it is long when the block is old.',
    group,
    params: z.strictObject({
      workchain,
      shard,
      seqno: Seqno.describe('Seqno of the block to prove.'),
      from_seqno: NotNegative.optional().describe(
        'Seqno of the masterchain block that is trusted, 0 for the zero state; default: the newest.',
      ),
    }),
    result: z
      .object({
        '@type': z.literal('blocks.shardBlockProof'),
        from: TonBlockIdExt.describe('Trusted masterchain block.'),
        mc_id: TonBlockIdExt.describe('Masterchain block that registers the block.'),
        links: z.array(ShardLink).describe('Steps from `mc_id` down to the block; empty for a masterchain block.'),
        mc_proof: z.array(BlockLinkBack).describe('Steps from `from` back to `mc_id`; empty when they are the same.'),
      })
      .meta({ id: 'ShardBlockProof', description: 'Proof of a block.' }),
    rest: readsV2('getShardBlockProof'),
    freshness: 'block',
    example: {
      params: { workchain: -1, shard: WHOLE, seqno: 1 },
      result: {
        '@type': 'blocks.shardBlockProof',
        from: blockIdExample,
        mc_id: before,
        links: [],
        mc_proof: [
          {
            '@type': 'blocks.blockLinkBack',
            to_key_block: false,
            from: blockIdExample,
            to: before,
            dest_proof: CELL,
            proof: CELL,
            state_proof: CELL,
          },
        ],
      },
    },
  }),

  getConsensusBlock: method({
    summary: 'Height of the masterchain and when it was read.',
    description: 'The smallest way to poll for new blocks; getMasterchainInfo has the full id.',
    group,
    params: z.strictObject({}),
    result: z
      .object({
        '@type': z.literal('ext.blocks.consensusBlock'),
        consensus_block: z.int().describe('Seqno of the newest masterchain block.'),
        timestamp: z.int().describe('Clock of the node when it was read, unix seconds.'),
      })
      .meta({ id: 'ConsensusBlock', description: 'Height of the masterchain.' }),
    rest: readsV2('getConsensusBlock'),
    freshness: 'block',
    example: {
      params: {},
      result: { '@type': 'ext.blocks.consensusBlock', consensus_block: 48213377, timestamp: 1755516054 },
    },
  }),

  lookupBlock: method({
    summary: 'Id of a block by seqno, logical time or unix time.',
    description: 'Exactly one of `seqno`, `lt` and `unixtime` must be given.',
    group,
    params: z
      .strictObject({
        workchain,
        shard,
        seqno: Seqno.optional().describe('Height of the block in its shard.'),
        lt: LogicalTime.optional().describe('Logical time: the first block that ends at or after it.'),
        unixtime: Uint32.optional().describe('Unix seconds: the first block made at or after it.'),
      })
      .refine(
        ({ seqno, lt, unixtime }) => [seqno, lt, unixtime].filter((mark) => mark !== undefined).length === 1,
        'exactly one of seqno, lt, unixtime should be specified',
      ),
    result: TonBlockIdExt,
    rest: readsV2('lookupBlock'),
    freshness: 'block',
    example: { params: { workchain: -1, shard: WHOLE, seqno: 1 }, result: blockIdExample },
  }),

  getShards: shardsBy('getShards', 'To walk over all blocks take the masterchain blocks one by one and this for each.'),

  shards: shardsBy('shards', 'Older name of getShards.'),

  getBlockHeader: method({
    summary: 'Header of a block.',
    description:
      'With both hashes the block is read by its full id, without them by seqno. For its transactions use getBlockTransactions.',
    group,
    params: z.strictObject({
      workchain,
      shard,
      seqno: Seqno.describe('Height of the block in its shard.'),
      root_hash: OptionalHash.describe('Root hash of the block; used only with `file_hash`.'),
      file_hash: OptionalHash.describe('File hash of the block; used only with `root_hash`.'),
    }),
    result: BlockHeader,
    rest: readsV2('getBlockHeader'),
    freshness: 'block',
    example: {
      params: { workchain: -1, shard: WHOLE, seqno: 1 },
      result: {
        '@type': 'blocks.header',
        id: blockIdExample,
        global_id: -239,
        version: 0,
        flags: 1,
        after_merge: false,
        after_split: false,
        before_split: false,
        want_merge: true,
        want_split: false,
        validator_list_hash_short: -1087312987,
        catchain_seqno: 638211,
        min_ref_mc_seqno: 48213373,
        is_key_block: false,
        prev_key_block_seqno: 48200112,
        start_lt: '53160001000000',
        end_lt: '53160001000004',
        gen_utime: 1755516049,
        vert_seqno: 1,
        prev_blocks: [before],
      },
    },
  }),

  getOutMsgQueueSize: method({
    summary: 'Number of messages queued in the masterchain and in every shard.',
    description:
      'A measure of how loaded the network is: external messages are refused while a queue is over the limit.',
    group,
    params: z.strictObject({}),
    result: z
      .object({
        '@type': z.literal('blocks.outMsgQueueSizes'),
        shards: z.array(OutMsgQueueSize).describe('Queue of the masterchain and of every shard.'),
        ext_msg_queue_size_limit: z.int().describe('Queue size above which a shard accepts no external messages.'),
      })
      .meta({ id: 'OutMsgQueueSizes', description: 'Outgoing queues of all shards.' }),
    rest: readsV2('getOutMsgQueueSize'),
    freshness: 'block',
    example: {
      params: {},
      result: {
        '@type': 'blocks.outMsgQueueSizes',
        shards: [{ '@type': 'blocks.outMsgQueueSize', id: blockIdExample, size: 0 }],
        ext_msg_queue_size_limit: 8000,
      },
    },
  }),
}
