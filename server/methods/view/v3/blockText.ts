// Blocks of a page as text, from what the database sent: the same as `toIndexedBlock` makes of a row.

import type { z } from 'zod'
import type { BlockId } from '../../../../shared/v3/values.ts'
import type { ListedBlock, TextBytes } from '../../../store/index.ts'
import { masterBlockId } from './block.ts'
import { addHash, addLt, addNamedJson, firstMember, member } from './fieldBytes.ts'
import { toIndexedBlockId } from './place.ts'

const [ROOT_HASH, FILE_HASH] = [firstMember('root_hash'), member('file_hash')]
const [START_LT, END_LT] = [member('start_lt'), member('end_lt')]
const [RAND_SEED, CREATED_BY, PREV_BLOCKS] = [member('rand_seed'), member('created_by'), member('prev_blocks')]
const END = 125

/** Members of a name, without what is around them. */
const placeText = ({ workchain, shard, seqno }: z.output<typeof BlockId>): string =>
  `"workchain":${workchain},"shard":"${shard}","seqno":${seqno}`

/** All that is behind the hashes of a block, up to its logical times. */
const flagsText = (row: ListedBlock): string =>
  `,"global_id":${row.globalId},"version":${row.version},"after_merge":${row.afterMerge},"before_split":${row.beforeSplit}` +
  `,"after_split":${row.afterSplit},"want_merge":${row.wantMerge},"want_split":${row.wantSplit},"key_block":${row.keyBlock}` +
  `,"vert_seqno_incr":${row.vertSeqnoIncr},"flags":${row.flags},"gen_utime":"${row.genUtime}"`

/** All between the logical times and the random seed. */
const refsText = (row: ListedBlock): string =>
  `,"validator_list_hash_short":${row.validatorListHashShort},"gen_catchain_seqno":${row.genCatchainSeqno}` +
  `,"min_ref_mc_seqno":${row.minRefMcSeqno},"prev_key_block_seqno":${row.prevKeyBlockSeqno},"vert_seqno":${row.vertSeqno}` +
  `,"master_ref_seqno":${row.masterRefSeqno}`

export function addListedBlock(row: ListedBlock, to: TextBytes): void {
  addHash(ROOT_HASH, row.rootHash, to)
  addHash(FILE_HASH, row.fileHash, to)
  to.string(flagsText(row))
  addLt(START_LT, row.startLt, to)
  addLt(END_LT, row.endLt, to)
  to.string(refsText(row))
  addHash(RAND_SEED, row.randSeed, to)
  addHash(CREATED_BY, row.createdBy, to)
  to.string(`,"tx_count":${row.txCount},"masterchain_block_ref":{${placeText(masterBlockId(row.mcSeqno))}}`)
  addNamedJson(PREV_BLOCKS, row.prevBlocks.length === 0 ? null : row.prevBlocks.map(toIndexedBlockId), to)
  to.string(`,${placeText(toIndexedBlockId(row))}`)
  to.byte(END)
}
