// Blocks of a page as text, from what the database sent: the same as `toIndexedBlock` makes of a row. All members are short: to put
// them together as one string takes less than an object, or the bytes of each.

import type { BlockKey, ByteSpan, ListedBlock, TextBytes } from '../../../store/index.ts'
import { masterKey } from './block.ts'
import { bufferOfSpan } from './fieldBytes.ts'
import { toIndexedBlockId } from './place.ts'

/** A chain has few shards at a time. */
const MOST_SHARDS = 1000
const shards = new Map<bigint, string>()

function shardText(key: BlockKey): string {
  const known = shards.get(key.shard)
  if (known !== undefined) return known
  const { shard } = toIndexedBlockId(key)
  if (shards.size >= MOST_SHARDS) shards.clear()
  shards.set(key.shard, shard)
  return shard
}

/** Members of a name, without what is around them. */
const placeText = (key: BlockKey): string =>
  `"workchain":${key.workchain},"shard":"${shardText(key)}","seqno":${key.seqno}`

const base64 = (hash: ByteSpan): string => bufferOfSpan(hash).toString('base64')

const previousText = (keys: readonly BlockKey[]): string =>
  keys.length === 0 ? 'null' : `[${keys.map((key) => `{${placeText(key)}}`).join()}]`

export const addListedBlock = (row: ListedBlock, to: TextBytes): void =>
  to.string(
    `{"root_hash":"${base64(row.rootHash)}","file_hash":"${base64(row.fileHash)}","global_id":${row.globalId}` +
      `,"version":${row.version},"after_merge":${row.afterMerge},"before_split":${row.beforeSplit}` +
      `,"after_split":${row.afterSplit},"want_merge":${row.wantMerge},"want_split":${row.wantSplit}` +
      `,"key_block":${row.keyBlock},"vert_seqno_incr":${row.vertSeqnoIncr},"flags":${row.flags}` +
      `,"gen_utime":"${row.genUtime}","start_lt":"${row.startLt}","end_lt":"${row.endLt}"` +
      `,"validator_list_hash_short":${row.validatorListHashShort},"gen_catchain_seqno":${row.genCatchainSeqno}` +
      `,"min_ref_mc_seqno":${row.minRefMcSeqno},"prev_key_block_seqno":${row.prevKeyBlockSeqno}` +
      `,"vert_seqno":${row.vertSeqno},"master_ref_seqno":${row.masterRefSeqno}` +
      `,"rand_seed":"${base64(row.randSeed)}","created_by":"${base64(row.createdBy)}","tx_count":${row.txCount}` +
      `,"masterchain_block_ref":{${placeText(masterKey(row.mcSeqno))}}` +
      `,"prev_blocks":${previousText(row.prevBlocks)},${placeText(row)}}`,
  )
