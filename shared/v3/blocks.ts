import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { headerFields } from '../headerFields.ts'
import { method } from '../method.ts'
import { cursorPage, MaybeSort, Sort } from '../page.ts'
import { Int32 } from '../primitives.ts'
import { blockFilters, HashFilter, timeBounds } from './filters.ts'
import { nextField } from './sideObjects.ts'
import { Base64Hash, BlockId, Digits, readsV3 } from './values.ts'

const group = 'blocks'

export const Block = z
  .object({
    ...BlockId.shape,
    root_hash: Base64Hash.describe('Hash of the root cell.'),
    file_hash: Base64Hash.describe('SHA-256 of the serialized block.'),
    ...headerFields,
    key_block: z.boolean().describe('True for a masterchain block that may change the configuration.'),
    vert_seqno_incr: z.boolean().describe('True when `vert_seqno` grew here.'),
    gen_utime: Digits.describe('Unix seconds of creation.'),
    gen_catchain_seqno: z.int().describe('Number of the validator session.'),
    min_ref_mc_seqno: z.int().describe('Oldest masterchain block this block still refers to; -1 for none.'),
    prev_key_block_seqno: z.int().describe('Last key block before this one.'),
    master_ref_seqno: z.int().describe('Masterchain block it refers to; 0 for a masterchain block.'),
    rand_seed: Base64Hash.describe('Random seed, 32 bytes base64.'),
    created_by: Base64Hash.describe('Public key of its validator, 32 bytes base64.'),
    tx_count: z.int().describe('Number of transactions.'),
    masterchain_block_ref: BlockId.describe('Masterchain block that committed it.'),
    prev_blocks: z.array(BlockId).nullable().describe('Parent block; two after a merge, null for none.'),
  })
  .meta({ id: 'Block' })
export type Block = z.output<typeof Block>

const Blocks = z.object({ blocks: z.array(Block).describe('Blocks found.') }).meta({ id: 'BlocksResponse' })
const BlocksPage = z
  .object({ blocks: z.array(Block).describe('Blocks of this page.'), ...nextField })
  .meta({ id: 'BlocksPage' })

const MASTER = { workchain: -1, shard: '8000000000000000', seqno: 50503953 }

const inShard: z.input<typeof Block> = {
  workchain: 0,
  shard: '8000000000000000',
  seqno: 55671169,
  root_hash: exampleValues.OTHER_HASH,
  file_hash: 'Ln0sA6lQeuJl7PW1NWiFpTOTogKdJBOUmXJloaJa78Y=',
  global_id: -239,
  version: 0,
  after_merge: false,
  before_split: false,
  after_split: false,
  want_merge: true,
  want_split: false,
  key_block: false,
  vert_seqno_incr: false,
  flags: 1,
  gen_utime: '1754158183',
  start_lt: '60056271000000',
  end_lt: '60056271000011',
  validator_list_hash_short: -1185527601,
  gen_catchain_seqno: 682414,
  min_ref_mc_seqno: 50503949,
  prev_key_block_seqno: 50498861,
  vert_seqno: 1,
  master_ref_seqno: 50503952,
  rand_seed: '0QGhS9dGAfnlNvjkB8SnIWk8k3MHVYAcNjUQfSVGIWs=',
  created_by: 'qltlv0gkV5wbim9fp0rgYpBFnTtp2Rrf1aBcL+CqvgY=',
  tx_count: 9,
  masterchain_block_ref: MASTER,
  prev_blocks: [{ workchain: 0, shard: '8000000000000000', seqno: 55671168 }],
}

const master: z.input<typeof Block> = {
  ...inShard,
  ...MASTER,
  root_hash: exampleValues.ROOT_HASH,
  file_hash: exampleValues.FILE_HASH,
  want_merge: false,
  master_ref_seqno: 0,
  tx_count: 3,
  prev_blocks: [{ ...MASTER, seqno: MASTER.seqno - 1 }],
}

/** Left out it is 0, which no block has. */
const OfMaster = Int32.default(0).meta({ description: 'Seqno of the masterchain block.' })

export const blocksV3 = {
  'v3.masterchainInfo': method({
    summary: 'The oldest and the newest indexed masterchain block.',
    description:
      'Poll it to follow the index: every list is complete up to `last`. getMasterchainInfo returns the head of the chain, which can be newer.',
    group,
    params: z.strictObject({}),
    result: z
      .object({
        last: Block.describe('Newest indexed masterchain block.'),
        first: Block.describe('Oldest indexed masterchain block.'),
      })
      .meta({ id: 'IndexedMasterchainInfo' }),
    rest: readsV3('masterchainInfo'),
    freshness: 'index',
    example: {
      params: {},
      result: { last: master, first: { ...master, seqno: 1, prev_blocks: [{ ...MASTER, seqno: 0 }] } },
    },
  }),

  'v3.masterchainBlockShardState': method({
    summary: 'A masterchain block and the newest block of every shard at that height.',
    description:
      'A shard without a new block at that height is listed with its last one. For the blocks that were added at that height use v3.masterchainBlockShards.',
    group,
    params: z.strictObject({ seqno: OfMaster }),
    result: Blocks,
    rest: readsV3('masterchainBlockShardState'),
    freshness: 'index',
    example: { params: { seqno: 1 }, result: { blocks: [master, inShard] } },
  }),

  'v3.masterchainBlockShards': method({
    summary: 'A masterchain block and all shard blocks it committed, by shard; by time with `sort`.',
    description:
      'To walk over all blocks without gaps, call it for each masterchain seqno in turn. To search by time or hash use v3.blocks.',
    group,
    params: z.strictObject({ seqno: OfMaster, ...cursorPage(), sort: MaybeSort }),
    result: BlocksPage,
    rest: readsV3('masterchainBlockShards'),
    freshness: 'index',
    paged: true,
    example: { params: { seqno: 1 }, result: { blocks: [master, inShard], cursor: null } },
  }),

  'v3.blocks': method({
    summary: 'Blocks by time. Filters are combined with AND.',
    description:
      'To search by height, hash or time; without a filter it lists the newest blocks of all shards. To walk over all blocks use v3.masterchainBlockShards.',
    group,
    params: z.strictObject({
      ...blockFilters,
      root_hash: HashFilter.optional().describe('Only the block with this root hash.'),
      file_hash: HashFilter.optional().describe('Only the block with this file hash.'),
      mc_seqno: Int32.optional().meta({ description: 'Committed by this masterchain block.' }),
      ...timeBounds,
      ...cursorPage(),
      sort: Sort,
    }),
    result: BlocksPage,
    rest: readsV3('blocks'),
    freshness: 'index',
    paged: true,
    example: {
      params: { workchain: 0, limit: 1 },
      result: { blocks: [inShard], cursor: '-yRhkgoJZTpkMTc1NDE1ODE4MyxkNTA1MDM5NTM' },
    },
  }),
}
