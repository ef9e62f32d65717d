import { z } from 'zod'
import { method, readsV2 } from '../method.ts'
import { Digits, Int32, LogicalTime, Seqno, Shard } from '../primitives.ts'
import { BackLink, ShardLink, Signatures } from './blockProof.ts'
import { Base64Hash, BlockIdExt, OptionalHash } from './tonlib.ts'

const group = 'blocks'

const WHOLE = '-9223372036854775808'
const last = {
  '@type': 'ton.blockIdExt' as const,
  workchain: -1,
  shard: '-9223372036854775808' as const,
  seqno: 48213377,
  root_hash: '7/j0Uag1MI+IaBJ44Nd3G6eCrG3s9DFK9fw3AOmU65c=',
  file_hash: 'qltlv0gkV5wbim9fp0rgYpBFnTtp2Rrf1aBcL+CqvgY=',
}
const inShard = {
  ...last,
  workchain: 0,
  seqno: 53114021,
  root_hash: 'PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0=',
  file_hash: 'Ln0sA6lQeuJl7PW1NWiFpTOTogKdJBOUmXJloaJa78Y=',
}
const before = { ...last, seqno: 48213376, root_hash: inShard.root_hash, file_hash: inShard.file_hash }
const CELL = 'te6cckEBAQEAAgAAAEysuc0='

const NotNegative = Int32.min(0)
const ofMaster = z.strictObject({ seqno: Seqno })

/** One answer under two names: clients of either age ask by the one they know. */
const shardsBy = (name: string) =>
  method({
    summary: 'The newest block of every shard as of a masterchain block.',
    group,
    params: ofMaster,
    result: z.object({ '@type': z.literal('blocks.shards'), shards: z.array(BlockIdExt) }),
    rest: readsV2(name),
    freshness: 'block',
    example: { params: { seqno: 1 }, result: { '@type': 'blocks.shards', shards: [inShard] } },
  })

const Header = z
  .object({
    '@type': z.literal('blocks.header'),
    id: BlockIdExt,
    global_id: z.int(),
    version: z.int(),
    flags: z.int(),
    after_merge: z.boolean(),
    after_split: z.boolean(),
    before_split: z.boolean(),
    want_merge: z.boolean(),
    want_split: z.boolean(),
    validator_list_hash_short: z.int(),
    catchain_seqno: z.int(),
    min_ref_mc_seqno: z.int(),
    is_key_block: z.boolean(),
    prev_key_block_seqno: z.int().meta({ description: '0 for a block of a shard.' }),
    start_lt: Digits,
    end_lt: Digits,
    gen_utime: z.int(),
    vert_seqno: z.int(),
    prev_blocks: z.array(BlockIdExt),
  })
  .meta({ id: 'BlockHeader' })

const QueueSize = z
  .object({ '@type': z.literal('blocks.outMsgQueueSize'), id: BlockIdExt, size: z.int() })
  .meta({ id: 'OutMsgQueueSize' })

export const blocks = {
  getMasterchainInfo: method({
    summary: 'The newest masterchain block, and the zero state the chain began with.',
    group,
    params: z.strictObject({}),
    result: z
      .object({
        '@type': z.literal('blocks.masterchainInfo'),
        last: BlockIdExt,
        state_root_hash: Base64Hash,
        init: BlockIdExt,
      })
      .meta({ id: 'MasterchainInfo' }),
    rest: readsV2('getMasterchainInfo'),
    freshness: 'block',
    example: {
      params: {},
      result: {
        '@type': 'blocks.masterchainInfo',
        last,
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
    summary: 'The signatures validators have put under a masterchain block.',
    group,
    params: ofMaster,
    result: Signatures,
    rest: readsV2('getMasterchainBlockSignatures'),
    freshness: 'block',
    example: {
      params: { seqno: 1 },
      result: {
        '@type': 'blocks.blockSignatures',
        id: last,
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
    summary: 'The way from a trusted masterchain block to the one that registers a block, and down to that block.',
    group,
    params: z.strictObject({
      workchain: Int32,
      shard: Shard,
      seqno: Seqno,
      from_seqno: NotNegative.optional().meta({
        description: 'The masterchain block that is trusted; the newest when left out.',
      }),
    }),
    result: z
      .object({
        '@type': z.literal('blocks.shardBlockProof'),
        from: BlockIdExt,
        mc_id: BlockIdExt,
        links: z.array(ShardLink),
        mc_proof: z.array(BackLink),
      })
      .meta({ id: 'ShardBlockProof' }),
    rest: readsV2('getShardBlockProof'),
    freshness: 'block',
    example: {
      params: { workchain: -1, shard: WHOLE, seqno: 1 },
      result: {
        '@type': 'blocks.shardBlockProof',
        from: last,
        mc_id: before,
        links: [],
        mc_proof: [
          {
            '@type': 'blocks.blockLinkBack',
            to_key_block: false,
            from: last,
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
    summary: 'The height of the masterchain, and when it was seen there.',
    group,
    params: z.strictObject({}),
    result: z
      .object({ '@type': z.literal('ext.blocks.consensusBlock'), consensus_block: z.int(), timestamp: z.int() })
      .meta({ id: 'ConsensusBlock' }),
    rest: readsV2('getConsensusBlock'),
    freshness: 'block',
    example: {
      params: {},
      result: { '@type': 'ext.blocks.consensusBlock', consensus_block: 48213377, timestamp: 1755516054 },
    },
  }),

  lookupBlock: method({
    summary: 'The block with a seqno, or the first that ends at or behind a logical time, or made at or after a time.',
    group,
    params: z
      .strictObject({
        workchain: Int32,
        shard: Shard,
        seqno: Seqno.optional(),
        lt: LogicalTime.optional(),
        unixtime: NotNegative.optional(),
      })
      .refine(
        ({ seqno, lt, unixtime }) => [seqno, lt, unixtime].filter((mark) => mark !== undefined).length === 1,
        'exactly one of seqno, lt, unixtime should be specified',
      ),
    result: BlockIdExt,
    rest: readsV2('lookupBlock'),
    freshness: 'block',
    example: { params: { workchain: -1, shard: WHOLE, seqno: 1 }, result: last },
  }),

  getShards: shardsBy('getShards'),

  shards: shardsBy('shards'),

  getBlockHeader: method({
    summary: 'The header of a block, found by seqno or, with both hashes, by its full name.',
    group,
    params: z.strictObject({
      workchain: Int32,
      shard: Shard,
      seqno: Seqno,
      root_hash: OptionalHash,
      file_hash: OptionalHash,
    }),
    result: Header,
    rest: readsV2('getBlockHeader'),
    freshness: 'block',
    example: {
      params: { workchain: -1, shard: WHOLE, seqno: 1 },
      result: {
        '@type': 'blocks.header',
        id: last,
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
    summary: 'How many messages wait in the queues of the masterchain and of every shard.',
    group,
    params: z.strictObject({}),
    result: z
      .object({
        '@type': z.literal('blocks.outMsgQueueSizes'),
        shards: z.array(QueueSize),
        ext_msg_queue_size_limit: z.int(),
      })
      .meta({ id: 'OutMsgQueueSizes' }),
    rest: readsV2('getOutMsgQueueSize'),
    freshness: 'block',
    example: {
      params: {},
      result: {
        '@type': 'blocks.outMsgQueueSizes',
        shards: [{ '@type': 'blocks.outMsgQueueSize', id: last, size: 0 }],
        ext_msg_queue_size_limit: 8000,
      },
    },
  }),
}
