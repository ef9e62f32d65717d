// Blocks of a page as text, from the rows as they were received: the same as `toIndexedBlock` makes of a row. A page has some three
// thousand values, none of which becomes one of JavaScript.

import {
  BLOCK_COLUMNS,
  type BlockRow,
  type ByteSpan,
  columnOfBlock,
  RowPlaces,
  type TextBytes,
} from '../../../store/index.ts'
import { masterKey } from './block.ts'
import { addCodes, addFlagValue, addNull, firstMember, member, utf8Codes } from './fieldBytes.ts'
import { toIndexedBlockId } from './place.ts'

type Column = keyof BlockRow
type Add = (to: TextBytes) => void

const [QUOTE, COMMA, COLON, END] = [34, 44, 58, 125]
/** No blocks. */
const EMPTY = '[]'

/** The row that is written. */
const row = new RowPlaces(BLOCK_COLUMNS)

function addHash(column: Column): Add {
  const number = columnOfBlock(column)
  return (to) => {
    to.byte(QUOTE)
    to.base64(row.source, row.at(number), row.end(number))
    to.byte(QUOTE)
  }
}

function addFlag(column: Column): Add {
  const number = columnOfBlock(column)
  return (to) => addFlagValue(row.bool(number), to)
}

/** Of 32 bits with a sign. */
function addSigned(column: Column): Add {
  const number = columnOfBlock(column)
  return (to) => to.integer(row.int4(number))
}

/** Without one, in 64 bits. */
function addUnsigned(column: Column): Add {
  const number = columnOfBlock(column)
  return (to) => to.digits(row.exact(number))
}

function addLong(column: Column): Add {
  const number = columnOfBlock(column)
  return (to) => {
    const value = row.exact(number)
    to.byte(QUOTE)
    if (value >= 0) to.digits(value)
    else to.string(String(row.int8(number)))
    to.byte(QUOTE)
  }
}

/** A chain has few shards at a time. */
const MOST_SHARDS = 1000
/** By their digits. */
const shards = new Map<string, string>()

function shardText(digits: string): string {
  const known = shards.get(digits)
  if (known !== undefined) return known
  const { shard: text } = toIndexedBlockId({ workchain: 0, shard: BigInt(digits), seqno: 0 })
  if (shards.size >= MOST_SHARDS) shards.clear()
  shards.set(digits, text)
  return text
}

const [WORKCHAIN, SHARD, SEQNO] = [firstMember('workchain'), utf8Codes(',"shard":"'), utf8Codes('","seqno":')]

const isZero = (byte: number | undefined): boolean => (byte ?? 0) < 16

const [workchain, shard, seqno] = [columnOfBlock('workchain'), columnOfBlock('shard'), columnOfBlock('seqno')]
const [mcSeqno, prevBlocks] = [columnOfBlock('mcSeqno'), columnOfBlock('prevBlocks')]

/** Without what is around the members. */
function addPlace(to: TextBytes): void {
  to.copy(WORKCHAIN, 1, WORKCHAIN.length)
  to.integer(row.int2(workchain))
  addCodes(SHARD, to)
  // A text without leading zeros.
  if (isZero(row.source[row.at(shard)])) to.string(shardText(String(row.int8(shard))))
  else to.hex(row.source, row.at(shard), row.end(shard))
  addCodes(SEQNO, to)
  to.integer(row.int4(seqno))
}

const MASTER_PLACE = utf8Codes(JSON.stringify({ ...toIndexedBlockId(masterKey(0)), seqno: undefined }).slice(0, -1))
const MASTER_SEQNO = member('seqno')

function addMaster(to: TextBytes): void {
  addCodes(MASTER_PLACE, to)
  addCodes(MASTER_SEQNO, to)
  to.integer(row.int4(mcSeqno))
  to.byte(END)
}

const textOf = (source: Uint8Array, from: number, to: number): string =>
  Buffer.from(source.buffer, source.byteOffset + from, to - from).toString('latin1')

/** The row has them as they are written, but for their shards: text in digits, and the only one of them. */
function addPrevious(to: TextBytes): void {
  const { source } = row
  const [begin, end] = [row.at(prevBlocks), row.end(prevBlocks)]
  if (end - begin === EMPTY.length) {
    addNull(to)
    return
  }
  let from = begin
  for (let at = begin; at < end; at++) {
    if (source[at] !== COLON || source[at + 1] !== QUOTE) continue
    const digits = at + 2
    const quote = source.indexOf(QUOTE, digits)
    if (quote < 0 || quote > end) break
    to.copy(source, from, digits)
    to.string(shardText(textOf(source, digits, quote)))
    from = quote
    at = quote
  }
  to.copy(source, from, end)
}

const MEMBERS: readonly (readonly [name: Uint8Array, add: Add])[] = [
  [firstMember('root_hash'), addHash('rootHash')],
  [member('file_hash'), addHash('fileHash')],
  [member('global_id'), addSigned('globalId')],
  [member('version'), addUnsigned('version')],
  [member('after_merge'), addFlag('afterMerge')],
  [member('before_split'), addFlag('beforeSplit')],
  [member('after_split'), addFlag('afterSplit')],
  [member('want_merge'), addFlag('wantMerge')],
  [member('want_split'), addFlag('wantSplit')],
  [member('key_block'), addFlag('keyBlock')],
  [member('vert_seqno_incr'), addFlag('vertSeqnoIncr')],
  [member('flags'), addSigned('flags')],
  [member('gen_utime'), addLong('genUtime')],
  [member('start_lt'), addLong('startLt')],
  [member('end_lt'), addLong('endLt')],
  [member('validator_list_hash_short'), addSigned('validatorListHashShort')],
  [member('gen_catchain_seqno'), addUnsigned('genCatchainSeqno')],
  [member('min_ref_mc_seqno'), addSigned('minRefMcSeqno')],
  [member('prev_key_block_seqno'), addUnsigned('prevKeyBlockSeqno')],
  [member('vert_seqno'), addUnsigned('vertSeqno')],
  [member('master_ref_seqno'), addUnsigned('masterRefSeqno')],
  [member('rand_seed'), addHash('randSeed')],
  [member('created_by'), addHash('createdBy')],
  [member('tx_count'), addSigned('txCount')],
  [member('masterchain_block_ref'), addMaster],
  [member('prev_blocks'), addPrevious],
]

export function addListedBlock(block: ByteSpan, to: TextBytes): void {
  row.open(block)
  for (const [name, add] of MEMBERS) {
    addCodes(name, to)
    add(to)
  }
  to.byte(COMMA)
  addPlace(to)
  to.byte(END)
}
