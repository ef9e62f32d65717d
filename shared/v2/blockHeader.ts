// What v2 returns of a block beyond its id.

import { z } from 'zod'
import { headerFields } from '../headerFields.ts'
import { TonBlockIdExt } from './tonlib.ts'

export const BlockHeader = z
  .object({
    '@type': z.literal('blocks.header'),
    id: TonBlockIdExt.describe('The block.'),
    ...headerFields,
    catchain_seqno: z.int().describe('Number of the consensus session.'),
    min_ref_mc_seqno: z.int().describe('Oldest masterchain block this block still refers to.'),
    is_key_block: z.boolean().describe('Whether it is a key block, which carries the configuration.'),
    prev_key_block_seqno: z.int().describe('Seqno of the last key block before it; 0 for a block of a shard.'),
    gen_utime: z.int().describe('Time of the block, unix seconds.'),
    prev_blocks: z.array(TonBlockIdExt).describe('The block before it; two after a merge.'),
  })
  .meta({ id: 'BlockHeader', description: 'Header of a block.' })

export const OutMsgQueueSize = z
  .object({
    '@type': z.literal('blocks.outMsgQueueSize'),
    id: TonBlockIdExt.describe('Newest block of the shard.'),
    size: z.int().describe('Messages in the queue.'),
  })
  .meta({ id: 'OutMsgQueueSize', description: 'Outgoing queue of one shard.' })
