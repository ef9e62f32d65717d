// What v2 returns of a block beyond its id.

import { z } from 'zod'
import { Digits } from '../primitives.ts'
import { BlockIdExt } from './tonlib.ts'

export const BlockHeader = z
  .object({
    '@type': z.literal('blocks.header'),
    id: BlockIdExt.describe('The block.'),
    global_id: z.int().describe('Id of the network: -239 for mainnet, -3 for testnet.'),
    version: z.int().describe('Version of the block format.'),
    flags: z.int().describe('1 when the header names the software of the validator, else 0.'),
    after_merge: z.boolean().describe('First block after two shards merged; it has two previous blocks.'),
    after_split: z.boolean().describe('First block after the shard split.'),
    before_split: z.boolean().describe('Last block before the shard splits.'),
    want_merge: z.boolean().describe('Whether the shard wants to merge with its sibling.'),
    want_split: z.boolean().describe('Whether the shard wants to split.'),
    validator_list_hash_short: z.int().describe('Short hash of the validator set, a signed 32-bit number.'),
    catchain_seqno: z.int().describe('Number of the consensus session.'),
    min_ref_mc_seqno: z.int().describe('Oldest masterchain block this block still refers to.'),
    is_key_block: z.boolean().describe('Whether it is a key block, which carries the configuration.'),
    prev_key_block_seqno: z.int().describe('Seqno of the last key block before it; 0 for a block of a shard.'),
    start_lt: Digits.describe('Logical time the block begins at.'),
    end_lt: Digits.describe('Logical time the block ends at.'),
    gen_utime: z.int().describe('Time of the block, unix seconds.'),
    vert_seqno: z.int().describe('Number of hard forks before it; 0 without any.'),
    prev_blocks: z.array(BlockIdExt).describe('The block before it; two after a merge.'),
  })
  .meta({ id: 'BlockHeader', description: 'Header of a block.' })

export const OutMsgQueueSize = z
  .object({
    '@type': z.literal('blocks.outMsgQueueSize'),
    id: BlockIdExt.describe('Newest block of the shard.'),
    size: z.int().describe('Messages in the queue.'),
  })
  .meta({ id: 'OutMsgQueueSize', description: 'Outgoing queue of one shard.' })
