// Fields of a block header that v2 and v3 write the same way.

import { z } from 'zod'
import { Digits } from './primitives.ts'

export const headerFields = {
  global_id: z.int().describe('Id of the network: -239 for mainnet, -3 for testnet.'),
  version: z.int().describe('Version of the block format.'),
  after_merge: z.boolean().describe('First block after two shards merged; it has two previous blocks.'),
  after_split: z.boolean().describe('First block after the shard split.'),
  before_split: z.boolean().describe('Last block before the shard splits.'),
  want_merge: z.boolean().describe('Whether the shard has little load and asks for a merge.'),
  want_split: z.boolean().describe('Whether the shard has much load and asks for a split.'),
  flags: z.int().describe('1 when the header names the software of the validator, else 0.'),
  start_lt: Digits.describe('Logical time the block begins at.'),
  end_lt: Digits.describe('Logical time the block ends at.'),
  validator_list_hash_short: z.int().describe('Short hash of the validator set, a signed 32-bit number.'),
  vert_seqno: z.int().describe('Number of hard forks before it; 0 without any.'),
}
