import { z } from 'zod'
import { method } from '../method.ts'
import { cursorPage, MaybeSort, NextCursor, Sort } from '../page.ts'
import { Int32 } from '../primitives.ts'
import { HashFilter, placeFilters, timeBounds } from './filters.ts'
import { Base64Hash, BlockId, Digits, readsV3, ShardText } from './values.ts'

const group = 'blocks'

export const Block = z
  .object({
    workchain: z.int(),
    shard: ShardText,
    seqno: z.int(),
    root_hash: Base64Hash,
    file_hash: Base64Hash,
    global_id: z.int(),
    version: z.int(),
    after_merge: z.boolean(),
    before_split: z.boolean(),
    after_split: z.boolean(),
    want_merge: z.boolean(),
    want_split: z.boolean(),
    key_block: z.boolean(),
    vert_seqno_incr: z.boolean(),
    flags: z.int(),
    gen_utime: Digits,
    start_lt: Digits,
    end_lt: Digits,
    validator_list_hash_short: z.int(),
    gen_catchain_seqno: z.int(),
    min_ref_mc_seqno: z.int().meta({ description: '-1 when it refers to none.' }),
    prev_key_block_seqno: z.int(),
    vert_seqno: z.int(),
    master_ref_seqno: z.int().meta({ description: '0 for a masterchain block.' }),
    rand_seed: Base64Hash,
    created_by: Base64Hash,
    tx_count: z.int(),
    masterchain_block_ref: BlockId.meta({ description: 'The masterchain block that committed it.' }),
    prev_blocks: z.array(BlockId).nullable(),
  })
  .meta({ id: 'Block' })

const Blocks = z.object({ blocks: z.array(Block) }).meta({ id: 'BlocksResponse' })
const BlocksPage = z.object({ blocks: z.array(Block), cursor: NextCursor }).meta({ id: 'BlocksPage' })

const MASTER = { workchain: -1, shard: '8000000000000000', seqno: 50503953 }

const inShard: z.input<typeof Block> = {
  workchain: 0,
  shard: '8000000000000000',
  seqno: 55671169,
  root_hash: 'PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0=',
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
  root_hash: '7/j0Uag1MI+IaBJ44Nd3G6eCrG3s9DFK9fw3AOmU65c=',
  file_hash: 'qltlv0gkV5wbim9fp0rgYpBFnTtp2Rrf1aBcL+CqvgY=',
  want_merge: false,
  master_ref_seqno: 0,
  tx_count: 3,
  prev_blocks: [{ ...MASTER, seqno: MASTER.seqno - 1 }],
}

/** Left out it is 0, which no block has. */
const OfMaster = Int32.default(0).meta({ description: 'Seqno of the masterchain block.' })

export const blocks = {
  'v3.masterchainInfo': method({
    summary:
      'The first masterchain block that is indexed and the last: whatever the last one brought can be asked for.',
    group,
    params: z.strictObject({}),
    result: z.object({ last: Block, first: Block }).meta({ id: 'IndexedMasterchainInfo' }),
    rest: readsV3('masterchainInfo'),
    freshness: 'index',
    example: {
      params: {},
      result: { last: master, first: { ...master, seqno: 1, prev_blocks: [{ ...MASTER, seqno: 0 }] } },
    },
  }),

  'v3.masterchainBlockShardState': method({
    summary: 'A masterchain block and the newest block of every shard as of then.',
    group,
    params: z.strictObject({ seqno: OfMaster }),
    result: Blocks,
    rest: readsV3('masterchainBlockShardState'),
    freshness: 'index',
    example: { params: { seqno: 1 }, result: { blocks: [master, inShard] } },
  }),

  'v3.masterchainBlockShards': method({
    summary: 'A masterchain block and all blocks of shards it committed; with `sort` by time, else by shard.',
    group,
    params: z.strictObject({ seqno: OfMaster, ...cursorPage(), sort: MaybeSort }),
    result: BlocksPage,
    rest: readsV3('masterchainBlockShards'),
    freshness: 'index',
    paged: true,
    example: { params: { seqno: 1 }, result: { blocks: [master, inShard], cursor: null } },
  }),

  'v3.blocks': method({
    summary: 'Blocks by time. All filters that are given hold together.',
    group,
    params: z.strictObject({
      ...placeFilters,
      root_hash: HashFilter.optional(),
      file_hash: HashFilter.optional(),
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
