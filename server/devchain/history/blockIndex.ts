// Where to find which block. Step n made masterchain block n, and with it at most one block of the basechain; the list
// grows at its end and shrinks there when the chain is reverted. There is a record of fixed size for every step, in bytes
// outside of the heap, so that other processes can be given it as it is:
//
//   masterchain block | newest block of the basechain | u32 its seqno | u32 flags | f64 clock offset | u32 segment | f64 offset
//   block: 32 root hash | 32 file hash | u64 first lt | u64 last lt | u32 utime | u32 transactions
//
// A step without a block of the basechain repeats the one before it, so that both chains are searched in the same way.

import { FULL_SHARD } from '../../tlb/index.ts'
import type { JournalBlock, StepFacts } from '../journal/index.ts'
import { comparePositions, type LogPosition } from '../log/index.ts'
import { BASECHAIN, type BlockIdExt, isSameBlock, MASTERCHAIN } from '../state/index.ts'

export interface IndexedStep extends StepFacts {
  /** Position of the record with both blocks. */
  readonly at: LogPosition
}

const AT = { rootHash: 0, fileHash: 32, startLt: 64, endLt: 72, utime: 80, transactions: 84 } as const
const BLOCK_BYTES = 88
const SHARD_AT = BLOCK_BYTES
const SHARD_SEQNO_AT = 2 * BLOCK_BYTES
const FLAGS_AT = SHARD_SEQNO_AT + 4
const CLOCK_AT = FLAGS_AT + 4
const SEGMENT_AT = CLOCK_AT + 8
const OFFSET_AT = SEGMENT_AT + 4
const STEP_BYTES = OFFSET_AT + 8
/** The masterchain block, the block of the basechain: is a key block; the step has a block of the basechain. */
const FLAG = { masterKey: 1, shardKey: 2, ownShard: 4 } as const
/** Records in one piece of memory, 200 kB. */
const PIECE = 1024

/** A block as it is listed here, whatever becomes of the list. */
export class BlockEntry {
  readonly workchain: number
  readonly seqno: number
  /** The step that made it. */
  readonly step: number
  readonly #bytes: Buffer
  readonly #isKey: boolean

  constructor(workchain: number, step: number, record: Buffer) {
    const isMaster = workchain === MASTERCHAIN
    const start = isMaster ? 0 : SHARD_AT
    this.workchain = workchain
    this.step = step
    this.seqno = isMaster ? step : record.readUInt32LE(SHARD_SEQNO_AT)
    this.#bytes = Buffer.from(record.subarray(start, start + BLOCK_BYTES))
    this.#isKey = (record.readUInt32LE(FLAGS_AT) & (isMaster ? FLAG.masterKey : FLAG.shardKey)) !== 0
  }

  get startLt(): bigint {
    return this.#bytes.readBigUInt64LE(AT.startLt)
  }

  hasRootHash(hash: Uint8Array): boolean {
    return this.#bytes.compare(hash, 0, hash.length, AT.rootHash, AT.fileHash) === 0
  }

  get facts(): JournalBlock {
    const bytes = this.#bytes
    return {
      id: {
        workchain: this.workchain,
        shard: FULL_SHARD,
        seqno: this.seqno,
        rootHash: new Uint8Array(bytes.subarray(AT.rootHash, AT.fileHash)),
        fileHash: new Uint8Array(bytes.subarray(AT.fileHash, AT.startLt)),
      },
      startLt: this.startLt,
      endLt: bytes.readBigUInt64LE(AT.endLt),
      utime: bytes.readUInt32LE(AT.utime),
      isKey: this.#isKey,
      transactions: bytes.readUInt32LE(AT.transactions),
    }
  }
}

function writeBlock(record: Buffer, at: number, { id, startLt, endLt, utime, transactions }: JournalBlock): void {
  record.set(id.rootHash, at + AT.rootHash)
  record.set(id.fileHash, at + AT.fileHash)
  record.writeBigUInt64LE(startLt, at + AT.startLt)
  record.writeBigUInt64LE(endLt, at + AT.endLt)
  record.writeUInt32LE(utime, at + AT.utime)
  record.writeUInt32LE(transactions, at + AT.transactions)
}

/** The first of so many places that is reached, where all after one that is are; their number when none is. */
function firstPlace(count: number, isReached: (place: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (isReached(middle)) high = middle
    else low = middle + 1
  }
  return low
}

export class BlockIndex {
  readonly #pieces: Buffer[] = []
  #length = 0
  /** The step that made the first block of the basechain; 0 before there is one. */
  #firstShard = 0
  /** Seqnos of key blocks, which may be a million blocks apart. */
  readonly #keys: number[] = []

  /** How many steps there are, which is the seqno of the newest masterchain block. */
  get length(): number {
    return this.#length
  }

  add({ master, shard, clockOffset, at }: IndexedStep): void {
    const before = this.#record(this.#length)
    const record = this.#next()
    writeBlock(record, 0, master)
    if (shard !== null) writeBlock(record, SHARD_AT, shard)
    else if (before === undefined) record.fill(0, SHARD_AT, SHARD_SEQNO_AT)
    else before.copy(record, SHARD_AT, SHARD_AT, SHARD_SEQNO_AT)
    const shardKey = shard?.isKey === true ? FLAG.shardKey : 0
    const flags = (master.isKey ? FLAG.masterKey : 0) | shardKey | (shard === null ? 0 : FLAG.ownShard)
    record.writeUInt32LE(shard?.id.seqno ?? before?.readUInt32LE(SHARD_SEQNO_AT) ?? 0, SHARD_SEQNO_AT)
    record.writeUInt32LE(flags, FLAGS_AT)
    record.writeDoubleLE(clockOffset, CLOCK_AT)
    record.writeUInt32LE(at.segment, SEGMENT_AT)
    record.writeDoubleLE(at.offset, OFFSET_AT)
    this.#taken(record)
  }

  /** The records after a step, as many as lie together, and their number: none after the newest. They are valid until the next change. */
  recordsAfter(seqno: number): { readonly records: Uint8Array; readonly count: number } {
    const piece = this.#pieces[Math.floor(seqno / PIECE)]
    const first = seqno % PIECE
    const count = Math.min(PIECE - first, this.#length - seqno)
    if (piece === undefined || count <= 0) return { records: new Uint8Array(), count: 0 }
    return { records: piece.subarray(first * STEP_BYTES, (first + count) * STEP_BYTES), count }
  }

  /** Takes in records of another index, which follow those here. */
  addRecords(records: Uint8Array): void {
    for (let at = 0; at < records.length; at += STEP_BYTES) {
      const record = this.#next()
      record.set(records.subarray(at, at + STEP_BYTES))
      this.#taken(record)
    }
  }

  /** Drops every step after this one. */
  truncate(length: number): void {
    this.#length = Math.min(this.#length, length)
    this.#pieces.length = Math.ceil(this.#length / PIECE)
    if (this.#firstShard > this.#length) this.#firstShard = 0
    while ((this.#keys.at(-1) ?? 0) > this.#length) this.#keys.pop()
  }

  step(seqno: number): IndexedStep | undefined {
    const record = this.#record(seqno)
    if (record === undefined) return undefined
    const hasShard = (record.readUInt32LE(FLAGS_AT) & FLAG.ownShard) !== 0
    return {
      master: new BlockEntry(MASTERCHAIN, seqno, record).facts,
      shard: hasShard ? new BlockEntry(BASECHAIN, seqno, record).facts : null,
      clockOffset: record.readDoubleLE(CLOCK_AT),
      at: { segment: record.readUInt32LE(SEGMENT_AT), offset: record.readDoubleLE(OFFSET_AT) },
    }
  }

  /** The step whose record is at this position of the journal: later steps have later ones. */
  stepAt(at: LogPosition): IndexedStep | undefined {
    const isReached = (before: number): boolean => comparePositions(this.step(before + 1)?.at ?? at, at) >= 0
    const step = this.step(1 + firstPlace(this.#length, isReached))
    return step !== undefined && comparePositions(step.at, at) === 0 ? step : undefined
  }

  /** Root hash of a masterchain block. */
  masterHash(seqno: number): Uint8Array | undefined {
    const record = this.#record(seqno)
    return record === undefined ? undefined : new Uint8Array(record.subarray(AT.rootHash, AT.fileHash))
  }

  /** The step that made a block; undefined for blocks of other chains. */
  stepOf({ id }: JournalBlock): number | undefined {
    const entry = this.#entry(id.workchain, id.seqno)
    return entry?.hasRootHash(id.rootHash) === true ? entry.step : undefined
  }

  bySeqno(workchain: number, seqno: number): JournalBlock | undefined {
    return this.#entry(workchain, seqno)?.facts
  }

  /** The newest block; undefined before the first. */
  newest(workchain: number): JournalBlock | undefined {
    return workchain === MASTERCHAIN ? this.bySeqno(workchain, this.#length) : this.shardAfter(this.#length)
  }

  /** The newest block of the basechain after a step; undefined before the first. */
  shardAfter(step: number): JournalBlock | undefined {
    return this.bySeqno(BASECHAIN, this.#record(step)?.readUInt32LE(SHARD_SEQNO_AT) ?? 0)
  }

  /** By the full name; undefined when any part of it is another. */
  byId(id: BlockIdExt): JournalBlock | undefined {
    const facts = this.bySeqno(id.workchain, id.seqno)
    return facts !== undefined && isSameBlock(facts.id, id) ? facts : undefined
  }

  /** Seqno of the first key block after a seqno. */
  keyAfter(seqno: number): number | undefined {
    return this.#keys[firstPlace(this.#keys.length, (place) => (this.#keys[place] ?? seqno) > seqno)]
  }

  /** The first block that ends at or after a logical time. */
  byLt(workchain: number, lt: bigint): JournalBlock | undefined {
    return this.entryByLt(workchain, lt)?.facts
  }

  /** The same without its facts, which a walk over many blocks does not need of each. */
  entryByLt(workchain: number, lt: bigint): BlockEntry | undefined {
    // In halves: a bigint for each comparison would cost more than all else.
    const high = Number(lt >> 32n)
    const low = Number(lt & 0xffff_ffffn)
    return this.#first(workchain, (piece, at) => {
      const own = piece.readUInt32LE(at + AT.endLt + 4)
      return own === high ? piece.readUInt32LE(at + AT.endLt) >= low : own > high
    })
  }

  /** The first block made at or after a time. */
  byUtime(workchain: number, utime: number): JournalBlock | undefined {
    return this.#first(workchain, (piece, at) => piece.readUInt32LE(at + AT.utime) >= utime)?.facts
  }

  // Both times never decrease: binary search.
  #first(workchain: number, isReached: (piece: Buffer, at: number) => boolean): BlockEntry | undefined {
    if (workchain !== MASTERCHAIN && workchain !== BASECHAIN) return undefined
    const [start, first] = workchain === MASTERCHAIN ? [0, 1] : [SHARD_AT, this.#firstShard]
    if (first === 0) return undefined
    const place = firstPlace(this.#length - first + 1, (at) => {
      const before = first - 1 + at
      const piece = this.#pieces[Math.floor(before / PIECE)]
      return piece === undefined || isReached(piece, (before % PIECE) * STEP_BYTES + start)
    })
    const record = this.#record(first + place)
    return record === undefined ? undefined : new BlockEntry(workchain, first + place, record)
  }

  /** The first step with this block of the basechain or a later one; behind the newest when there is none. */
  #stepOfShard(seqno: number): number {
    return 1 + firstPlace(this.#length, (at) => (this.#record(at + 1)?.readUInt32LE(SHARD_SEQNO_AT) ?? 0) >= seqno)
  }

  #entry(workchain: number, seqno: number): BlockEntry | undefined {
    if (workchain !== MASTERCHAIN && workchain !== BASECHAIN) return undefined
    if (!(seqno >= 1)) return undefined
    const step = workchain === MASTERCHAIN ? seqno : this.#stepOfShard(seqno)
    const record = this.#record(step)
    if (record === undefined) return undefined
    const entry = new BlockEntry(workchain, step, record)
    return entry.seqno === seqno ? entry : undefined
  }

  #record(seqno: number): Buffer | undefined {
    if (!(Number.isInteger(seqno) && seqno >= 1 && seqno <= this.#length)) return undefined
    const at = ((seqno - 1) % PIECE) * STEP_BYTES
    return this.#pieces[Math.floor((seqno - 1) / PIECE)]?.subarray(at, at + STEP_BYTES)
  }

  /** Where the next record goes. */
  #next(): Buffer {
    const number = Math.floor(this.#length / PIECE)
    const piece = this.#pieces[number] ?? Buffer.allocUnsafeSlow(PIECE * STEP_BYTES)
    this.#pieces[number] = piece
    const at = (this.#length % PIECE) * STEP_BYTES
    return piece.subarray(at, at + STEP_BYTES)
  }

  #taken(record: Buffer): void {
    this.#length++
    if ((record.readUInt32LE(FLAGS_AT) & FLAG.masterKey) !== 0) this.#keys.push(this.#length)
    if (this.#firstShard === 0 && record.readUInt32LE(SHARD_SEQNO_AT) > 0) this.#firstShard = this.#length
  }
}
