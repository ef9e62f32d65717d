// Blocks of a page as text, from the rows as they were received: the same as `toIndexedBlock` makes of a row. A page has some three
// thousand values, none of which becomes one of JavaScript.

import {
  BLOCK_COLUMNS,
  type ByteSpan,
  columnOfBlock,
  nameOfBlock,
  Repeated,
  RowPlaces,
  type TextBytes,
} from '../../../store/index.ts'
import { CLOSE_OBJECT, COLON, QUOTE } from '../jsonCodes.ts'
import { masterKey } from './block.ts'
import { addNull, firstMember, member, utf8Codes } from './fieldBytes.ts'
import { toIndexedBlockId } from './place.ts'

/** No blocks. */
const EMPTY = '[]'

/** The row that is written. */
const row = new RowPlaces(BLOCK_COLUMNS)

const column = {
  workchain: columnOfBlock('workchain'),
  shard: columnOfBlock('shard'),
  seqno: columnOfBlock('seqno'),
  mcSeqno: columnOfBlock('mcSeqno'),
  rootHash: columnOfBlock('rootHash'),
  fileHash: columnOfBlock('fileHash'),
  randSeed: columnOfBlock('randSeed'),
  createdBy: columnOfBlock('createdBy'),
  genUtime: columnOfBlock('genUtime'),
  startLt: columnOfBlock('startLt'),
  endLt: columnOfBlock('endLt'),
  validatorListHashShort: columnOfBlock('validatorListHashShort'),
  genCatchainSeqno: columnOfBlock('genCatchainSeqno'),
  minRefMcSeqno: columnOfBlock('minRefMcSeqno'),
  prevKeyBlockSeqno: columnOfBlock('prevKeyBlockSeqno'),
  vertSeqno: columnOfBlock('vertSeqno'),
  masterRefSeqno: columnOfBlock('masterRefSeqno'),
  txCount: columnOfBlock('txCount'),
  prevBlocks: columnOfBlock('prevBlocks'),
}

/** Columns that are next to each other, in a row as in its text, and have the same values in most blocks of a chain. */
const steady = {
  globalId: columnOfBlock('globalId'),
  version: columnOfBlock('version'),
  afterMerge: columnOfBlock('afterMerge'),
  beforeSplit: columnOfBlock('beforeSplit'),
  afterSplit: columnOfBlock('afterSplit'),
  wantMerge: columnOfBlock('wantMerge'),
  wantSplit: columnOfBlock('wantSplit'),
  keyBlock: columnOfBlock('keyBlock'),
  vertSeqnoIncr: columnOfBlock('vertSeqnoIncr'),
  flags: columnOfBlock('flags'),
}
const STEADY = Object.values(steady)
const firstSteady = Math.min(...STEADY)
const lastSteady = Math.max(...STEADY)

const steadyText = (): string =>
  [
    `,"global_id":${row.int4(steady.globalId)},"version":${row.exact(steady.version)}`,
    `,"after_merge":${row.bool(steady.afterMerge)},"before_split":${row.bool(steady.beforeSplit)}`,
    `,"after_split":${row.bool(steady.afterSplit)},"want_merge":${row.bool(steady.wantMerge)}`,
    `,"want_split":${row.bool(steady.wantSplit)},"key_block":${row.bool(steady.keyBlock)}`,
    `,"vert_seqno_incr":${row.bool(steady.vertSeqnoIncr)},"flags":${row.int4(steady.flags)}`,
  ].join('')

/** By all bytes of these columns, which are in the open row. */
const steadyTexts = new Repeated(() => utf8Codes(steadyText()))

function addSteady(to: TextBytes): void {
  const at = row.at(firstSteady)
  to.text(steadyTexts.of(row.source, at, row.end(lastSteady) - at))
}

function addHash(number: number, to: TextBytes): void {
  to.byte(QUOTE)
  to.base64(row.source, row.at(number), row.end(number))
  to.byte(QUOTE)
}

function addLong(number: number, to: TextBytes): void {
  const value = row.exact(number)
  to.byte(QUOTE)
  if (value >= 0) to.digits(value)
  else to.string(String(row.int8(number)))
  to.byte(QUOTE)
}

const shardText = (shard: bigint): string => toIndexedBlockId({ workchain: 0, shard, seqno: 0 }).shard

const isZero = (byte: number | undefined): boolean => (byte ?? 0) < 16

const WORKCHAIN = utf8Codes(',"workchain":')
const SHARD = utf8Codes(',"shard":"')
const SEQNO = utf8Codes('","seqno":')

/** The members of its name. */
function addPlace(to: TextBytes): void {
  to.text(WORKCHAIN)
  to.integer(row.int2(column.workchain))
  to.text(SHARD)
  // A text without leading zeros.
  if (isZero(row.source[row.at(column.shard)])) to.string(shardText(row.int8(column.shard)))
  else to.hex(row.source, row.at(column.shard), row.end(column.shard))
  to.text(SEQNO)
  to.integer(row.int4(column.seqno))
}

const textOf = (source: Uint8Array, at: number, size: number): string =>
  Buffer.from(source.buffer, source.byteOffset + at, size).toString('latin1')

/** The row has them as they are written, but for their shards, which are the only texts of them: in digits. */
const previousText = (text: string): string =>
  text.replace(/"(-?\d+)"/g, (_, digits) => `"${shardText(BigInt(digits))}"`)

/** By all up to the last seqno: a chain has few shards at a time. */
const previousTexts = new Repeated((source, at, size) => utf8Codes(previousText(textOf(source, at, size))))

function addPrevious(to: TextBytes): void {
  const { source } = row
  const begin = row.at(column.prevBlocks)
  const end = row.end(column.prevBlocks)
  if (end - begin === EMPTY.length) {
    addNull(to)
    return
  }
  let seqno = end
  while (seqno > begin && source[seqno - 1] !== COLON) seqno--
  to.text(previousTexts.of(source, begin, seqno - begin))
  to.copy(source, seqno, end)
}

const MASTER_PLACE = JSON.stringify({ ...toIndexedBlockId(masterKey(0)), seqno: undefined }).slice(0, -1)

const NAMES = {
  rootHash: firstMember('root_hash'),
  fileHash: member('file_hash'),
  genUtime: member('gen_utime'),
  startLt: member('start_lt'),
  endLt: member('end_lt'),
  validatorListHashShort: member('validator_list_hash_short'),
  genCatchainSeqno: member('gen_catchain_seqno'),
  minRefMcSeqno: member('min_ref_mc_seqno'),
  prevKeyBlockSeqno: member('prev_key_block_seqno'),
  vertSeqno: member('vert_seqno'),
  masterRefSeqno: member('master_ref_seqno'),
  randSeed: member('rand_seed'),
  createdBy: member('created_by'),
  txCount: member('tx_count'),
  mcSeqno: utf8Codes(`,"masterchain_block_ref":${MASTER_PLACE},"seqno":`),
  prevBlocks: utf8Codes('},"prev_blocks":'),
}

/** Line by line: a list of functions, one for each member, took three times as long. */
export function addListedBlock(block: ByteSpan, to: TextBytes): void {
  row.open(block)
  to.text(NAMES.rootHash)
  addHash(column.rootHash, to)
  to.text(NAMES.fileHash)
  addHash(column.fileHash, to)
  addSteady(to)
  to.text(NAMES.genUtime)
  addLong(column.genUtime, to)
  to.text(NAMES.startLt)
  addLong(column.startLt, to)
  to.text(NAMES.endLt)
  addLong(column.endLt, to)
  to.text(NAMES.validatorListHashShort)
  to.integer(row.int4(column.validatorListHashShort))
  to.text(NAMES.genCatchainSeqno)
  to.digits(row.exact(column.genCatchainSeqno))
  to.text(NAMES.minRefMcSeqno)
  to.integer(row.int4(column.minRefMcSeqno))
  to.text(NAMES.prevKeyBlockSeqno)
  to.digits(row.exact(column.prevKeyBlockSeqno))
  to.text(NAMES.vertSeqno)
  to.digits(row.exact(column.vertSeqno))
  to.text(NAMES.masterRefSeqno)
  to.digits(row.exact(column.masterRefSeqno))
  to.text(NAMES.randSeed)
  addHash(column.randSeed, to)
  to.text(NAMES.createdBy)
  addHash(column.createdBy, to)
  to.text(NAMES.txCount)
  to.integer(row.int4(column.txCount))
  to.text(NAMES.mcSeqno)
  to.integer(row.int4(column.mcSeqno))
  to.text(NAMES.prevBlocks)
  addPrevious(to)
  addPlace(to)
  to.byte(CLOSE_OBJECT)
}

/** The same; returns the name of the block. */
export function addNamedBlock(block: ByteSpan, to: TextBytes): string {
  addListedBlock(block, to)
  return nameOfBlock(row)
}
