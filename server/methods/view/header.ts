import { toDigits } from '../../../shared/primitives.ts'
import type { Result } from '../../../shared/registry.ts'
import type { blocksV2 } from '../../../shared/v2/blocks.ts'
import { type ProvenBlock, previousBlocksOf } from '../../node/index.ts'
import { toBlockId } from './ids.ts'

/** The header of a block. */
export function toHeader(proven: ProvenBlock): Result<typeof blocksV2.getBlockHeader> {
  const { id, block, info } = proven
  return {
    '@type': 'blocks.header',
    id: toBlockId(id),
    global_id: block.globalId,
    version: info.version,
    flags: info.software === null ? 0 : 1,
    after_merge: info.previous.length === 2,
    after_split: info.afterSplit,
    before_split: info.beforeSplit,
    want_merge: info.wantMerge,
    want_split: info.wantSplit,
    // Signed on the wire, unlike on chain.
    validator_list_hash_short: info.validatorListHashShort | 0,
    catchain_seqno: info.catchainSeqno,
    min_ref_mc_seqno: info.minRefMcSeqno,
    is_key_block: info.keyBlock,
    prev_key_block_seqno: info.masterRef === null ? info.prevKeyBlockSeqno : 0,
    start_lt: toDigits(info.startLt),
    end_lt: toDigits(info.endLt),
    gen_utime: info.genUtime,
    vert_seqno: info.vertSeqno,
    prev_blocks: previousBlocksOf(proven).map(toBlockId),
  }
}
