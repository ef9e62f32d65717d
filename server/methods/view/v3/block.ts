// Blocks as v3 writes them.

import type { z } from 'zod'
import { toDigits } from '../../../../shared/primitives.ts'
import type { Block } from '../../../../shared/v3/blocks.ts'
import { base64Of } from '../../../cell/index.ts'
import { MASTERCHAIN } from '../../../node/index.ts'
import type { BlockKey, BlockRow } from '../../../store/index.ts'
import { toIndexedBlockId } from './place.ts'

const WHOLE = -(2n ** 63n)

/** Of a masterchain block. */
export const masterKey = (seqno: number): BlockKey => ({ workchain: MASTERCHAIN, shard: WHOLE, seqno })

export const toIndexedBlock = (row: BlockRow): z.output<typeof Block> => ({
  root_hash: base64Of(row.rootHash),
  file_hash: base64Of(row.fileHash),
  global_id: row.globalId,
  version: row.version,
  after_merge: row.afterMerge,
  before_split: row.beforeSplit,
  after_split: row.afterSplit,
  want_merge: row.wantMerge,
  want_split: row.wantSplit,
  key_block: row.keyBlock,
  vert_seqno_incr: row.vertSeqnoIncr,
  flags: row.flags,
  gen_utime: toDigits(BigInt(row.genUtime)),
  start_lt: toDigits(row.startLt),
  end_lt: toDigits(row.endLt),
  validator_list_hash_short: row.validatorListHashShort,
  gen_catchain_seqno: row.genCatchainSeqno,
  min_ref_mc_seqno: row.minRefMcSeqno,
  prev_key_block_seqno: row.prevKeyBlockSeqno,
  vert_seqno: row.vertSeqno,
  master_ref_seqno: row.masterRefSeqno,
  rand_seed: base64Of(row.randSeed),
  created_by: base64Of(row.createdBy),
  tx_count: row.txCount,
  masterchain_block_ref: toIndexedBlockId(masterKey(row.mcSeqno)),
  prev_blocks: row.prevBlocks.length === 0 ? null : row.prevBlocks.map(toIndexedBlockId),
  ...toIndexedBlockId(row),
})
